package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nonsense is turned away as {@code InvalidArgument}, without repeating it, and nothing is changed by it. */
public abstract class BadInputContract extends Contract {

  @ParameterizedTest
  @NullAndEmptySource
  @Tag("check-36")
  @Tag("check-40")
  void anEmptyKeyIsRefused(@Nullable String key) {
    assertKeyRefused(key);
  }

  @Test
  @Tag("check-36")
  @Tag("check-41")
  void aKeyOfMoreThan512BytesIsRefused() {
    assertKeyRefused("k".repeat(513));
    assertKeyRefused("k".repeat(600));
    assertKeyRefused("é".repeat(257));
    assertKeyRefused("k".repeat(1_000_000));
  }

  @Test
  void aKeyThatGrowsBeyondTheLimitWhenNormalisedIsRefused() {
    assertKeyRefused("\uFB2C".repeat(170));
  }

  @Test
  void aKeyThatNotEveryStoreCouldKeepIsRefused() {
    assertKeyRefused("with\0nul");
    assertKeyRefused("half a pair \uD83D");
    assertKeyRefused("\uDE00 the other half");
  }

  private void assertKeyRefused(@Nullable String text) {
    assertBad(text, () -> backend.acquire(LockKey.of(text), newId(), LONG, NEVER));
    assertBad(text, () -> backend.isLocked(LockKey.of(text), NEVER));
    assertBad(text, () -> backend.lookup(new LockQuery.ByKey(LockKey.of(text)), NEVER));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @Tag("check-37")
  @Tag("check-43")
  void anEmptyIdIsRefused(@Nullable String id) {
    assertIdRefused(id);
  }

  @ParameterizedTest
  @Tag("check-37")
  @Tag("check-44")
  @ValueSource(
      strings = {
        "AAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAA+AAAAAAAAAAA",
        "AAAAAAAAAA/AAAAAAAAAAA",
        "AAAAAAAAAA AAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAA\n",
        "AAAAAAAAAAAAAAAAAAAAA\u0663",
        "\uFF21AAAAAAAAAAAAAAAAAAAAA",
        "not a lock id at all"
      })
  void aMalformedIdIsRefused(String id) {
    assertIdRefused(id);
  }

  private void assertIdRefused(@Nullable String text) {
    assertBad(text, () -> backend.release(LockId.parse(text), NEVER));
    assertBad(text, () -> backend.extend(LockId.parse(text), LONG, NEVER));
    assertBad(text, () -> backend.lookup(new LockQuery.ById(LockId.parse(text)), NEVER));
  }

  @ParameterizedTest
  @Tag("check-45")
  @ValueSource(longs = {-1, -100, Long.MIN_VALUE})
  void aNegativeTtlIsRefused(long millis) {
    assertTtlRefused(millis);
  }

  @Test
  @Tag("check-46")
  void aTtlOfZeroIsRefused() {
    assertTtlRefused(0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 53, Long.MAX_VALUE})
  void aTtlBeyondTheLimitIsRefused(long millis) {
    assertTtlRefused(millis);
  }

  private void assertTtlRefused(long millis) {
    Grant grant = take("report");
    LockId id = newId();
    assertBad(null, () -> backend.acquire(key("other"), id, Ttl.ofMillis(millis), NEVER));
    assertBad(null, () -> backend.extend(grant.id(), Ttl.ofMillis(millis), NEVER));
    assertThat(isLocked("other")).isFalse();
    assertHeld(grant);
  }

  @Test
  void aTtlThatIsNoWholeNumberOfMillisecondsIsRefused() {
    assertBad(null, () -> Ttl.of(Duration.ofNanos(1_500_000)));
    assertBad(null, () -> Ttl.of(null));
  }

  @ParameterizedTest
  @Tag("check-47")
  @ValueSource(longs = {1, 100, 1_000, 30_000, 3_600_000, Integer.MAX_VALUE})
  void anyOtherTtlIsAccepted(long millis) {
    Grant grant = take("report", Ttl.ofMillis(millis));
    assertThat(extend(grant, Ttl.ofMillis(millis))).isTrue();
    assertThat(release(grant)).isTrue();
  }

  @Test
  @Tag("check-54")
  void manyErrorsAtTheSameMomentDoNoHarm() throws Exception {
    Grant grant = take("report");
    Together.run(10, i -> {
      if (i % 2 == 0) {
        assertKeyRefused("");
      } else {
        assertIdRefused("bad id " + i);
      }
      return i;
    });
    assertHeld(grant);
    assertThat(release(grant)).isTrue();
    assertFree("report");
  }

  @Test
  @Tag("check-55")
  void everyRefusalHasACodeAndSaysSomething() {
    LockException refusal = assertRefused(
        LockException.Code.INVALID_ARGUMENT,
        () -> backend.isLocked(LockKey.of("k".repeat(513)), NEVER));
    assertThat(refusal.code().specName()).isEqualTo("InvalidArgument");
    assertThat(refusal.isRetryable()).isFalse();
    assertThat(refusal.leavesOutcomeUnknown()).isFalse();
  }

  private static void assertBad(@Nullable String input, Runnable call) {
    LockException refusal = assertRefused(LockException.Code.INVALID_ARGUMENT, call);
    if (input != null && !input.isEmpty()) {
      assertThat(refusal.toString()).doesNotContain(input);
    }
  }
}
