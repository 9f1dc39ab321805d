package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.firestore.FieldValue;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.CapturedLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that we did not write, or that somebody spoilt: nothing is guessed, and nothing is overwritten. */
class FirestoreDamageIT extends OneFirestore {

  static Stream<Arguments> damages() {
    return Stream.of(
        Arguments.of("expiresAtMs", "soon"),
        Arguments.of("expiresAtMs", Double.NaN),
        Arguments.of("expiresAtMs", 1.5),
        Arguments.of("expiresAtMs", -1L),
        Arguments.of("expiresAtMs", FieldValue.delete()),
        Arguments.of("acquiredAtMs", FieldValue.delete()),
        Arguments.of("lockId", 42L),
        Arguments.of("lockId", "short"),
        Arguments.of("key", ""),
        Arguments.of("key", FieldValue.delete()),
        Arguments.of("fence", "abc"),
        Arguments.of("fence", 7L),
        Arguments.of("fence", "000000000000000"));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void aSpoiltLockIsNeitherFreeNorOverwritten(String field, Object value) {
    take("report");
    Documents.await(lockDocument("report").update(field, value));
    Map<String, Object> spoilt = read(lockDocument("report")).getData();
    assertInternal(() -> backend.acquire(key("report"), newId(), LONG, NEVER));
    assertInternal(() -> backend.isLocked(key("report"), NEVER));
    assertInternal(() -> backend.lookup(new LockQuery.ByKey(key("report")), NEVER));
    assertThat(read(lockDocument("report")).getData()).isEqualTo(spoilt);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "-1", "1.0", "9999999999999999999", "12345678901234567890"})
  void aSpoiltCounterNeverStartsAgain(String fence) {
    release(take("report"));
    Documents.set(fenceDocument("fence:report"), Map.of("fence", fence));
    assertInternal(() -> backend.acquire(key("report"), newId(), LONG, NEVER));
    assertThat(read(fenceDocument("fence:report")).getString("fence")).isEqualTo(fence);
    assertThat(read(lockDocument("report")).exists()).isFalse();
  }

  @Test
  void aCounterFromTheDaysOf19DigitsGoesOnWith15() {
    Documents.set(fenceDocument("fence:report"), Map.of("fence", "0000000000000000041"));
    assertThat(granted(backend.acquire(key("report"), newId(), LONG, NEVER))
            .fence()
            .text())
        .isEqualTo("000000000000042");
  }

  @Test
  void aWholeNumberThatJavaScriptStoredAsADoubleIsUnderstood() {
    LockId id = take("report");
    Documents.await(lockDocument("report").update("expiresAtMs", 4e12));
    assertThat(backend.isLocked(key("report"), NEVER)).isTrue();
    assertThat(release(id)).isTrue();
  }

  @Test
  void withoutItsCounterAKeyAtLeastDoesNotRepeatTheLatestFence() {
    ManualTime time = ManualTime.stopped();
    FirestoreLockBackend manual =
        open(FirestoreLockBackend.builder(firestore).time(time).allowUnsafeClock());
    release(take(manual, "report", LONG));
    take(manual, "report", Ttl.ofMillis(100));
    Documents.await(fenceDocument("fence:report").delete());
    time.advance(Duration.ofSeconds(2));
    assertThat(
            granted(manual.acquire(key("report"), newId(), LONG, NEVER)).fence().value())
        .isEqualTo(3);
  }

  private static void assertInternal(Runnable call) {
    LockException failure = catchThrowableOfType(LockException.class, call::run);
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(LockException.Code.INTERNAL);
  }

  private void copy(String from, String to, long expiresAtMs) {
    Map<String, Object> fields = new HashMap<>(read(lockDocument(from)).getData());
    fields.put("key", to);
    fields.put("expiresAtMs", expiresAtMs);
    Documents.set(lockDocument(to), fields);
  }

  @Test
  void ofSeveralDocumentsWithOneIdTheDeadAreSweptOutAndTheLiveOneIsMeant() {
    LockId id = take("m");
    copy("m", "a", 1_000);
    copy("m", "z", 2_000);
    try (CapturedLog log = CapturedLog.everythingOf(Ownership.class.getName())) {
      assertThat(backend.extend(id, LONG, NEVER)).isInstanceOf(ExtendResult.Extended.class);
      assertThat(log.records()).hasSize(1);
      assertThat(log.records().get(0).getMessage())
          .contains(id.hash().hex())
          .doesNotContain(id.value());
    }
    assertThat(read(lockDocument("a")).exists()).isFalse();
    assertThat(read(lockDocument("z")).exists()).isFalse();
    assertThat(release(id)).isTrue();
  }

  @Test
  void whatAnIndexFindsIsOnlyMeantIfItCarriesTheId() {
    LockId id = take("m");
    take("a");
    Ownership owners =
        Ownership.of(id, Documents.await(firestore.collection("locks").get()).getDocuments(), 0);
    assertThat(owners.isDuplicated()).isFalse();
    assertThat(owners.holding().orElseThrow().getId()).isEqualTo("m");
    assertThat(owners.held().orElseThrow().key()).isEqualTo(key("m"));
  }

  @Test
  void ifSeveralLiveDocumentsHaveOneIdNoneIsTouched() {
    LockId id = take("m");
    copy("m", "a", Long.MAX_VALUE / 2);
    assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Absent.class);
    assertThat(backend.extend(id, LONG, NEVER)).isInstanceOf(ExtendResult.Absent.class);
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isEmpty();
    assertThat(read(lockDocument("a")).exists()).isTrue();
    assertThat(read(lockDocument("m")).exists()).isTrue();
    assertThat(backend.acquire(key("a"), newId(), LONG, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
  }

  @Test
  void lookingByIdSweepsNothing() {
    LockId id = take("m");
    copy("m", "a", 1_000);
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isPresent();
    assertThat(read(lockDocument("a")).exists()).isTrue();
  }
}
