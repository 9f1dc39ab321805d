package dev.syncguard.lock.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.testkit.history.Confirmed.Extended;
import dev.syncguard.lock.testkit.history.Confirmed.Granted;
import dev.syncguard.lock.testkit.history.Confirmed.Released;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Planted histories: the good ones pass, and each kind of bad one is found. */
class HistoryCheckerTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Random RANDOM = new Random(1);
  private final LockId a = LockId.random(RANDOM);
  private final LockId b = LockId.random(RANDOM);
  private final LockId c = LockId.random(RANDOM);

  /** A grant at a moment, in milliseconds on both clocks, for 100 ms. */
  private static Granted granted(LockId id, long fence, long at) {
    return granted("key", id, fence, at);
  }

  private static Granted granted(String key, LockId id, long fence, long at) {
    Ttl ttl = Ttl.ofMillis(100);
    return new Granted(
        LockKey.of(key), id, new Fence(fence), ttl, START.plusMillis(at + 100), span(at));
  }

  private static Extended extended(LockId id, long at) {
    return new Extended(id, Ttl.ofMillis(100), START.plusMillis(at + 100), span(at));
  }

  private static Released released(LockId id, long at) {
    return new Released(id, span(at));
  }

  /** A call that takes less than a millisecond. */
  private static Span span(long at) {
    return new Span(at * 1_000_000, at * 1_000_000 + 999_999);
  }

  private static void assertGood(Confirmed... history) {
    assertThat(HistoryChecker.violations(List.of(history))).isEmpty();
  }

  private static void assertBad(String why, Confirmed... history) {
    assertThat(HistoryChecker.violations(List.of(history)))
        .anySatisfy(violation -> assertThat(violation).contains(why));
  }

  @Test
  void nothingIsGood() {
    assertGood();
  }

  @Test
  void oneAfterTheOtherIsGood() {
    assertGood(granted(a, 1, 0), released(a, 10), granted(b, 2, 20), released(b, 30));
  }

  @Test
  void theOrderOfNotesDoesNotMatter() {
    assertGood(released(b, 30), granted(b, 2, 20), released(a, 10), granted(a, 1, 0));
  }

  @Test
  void anEndedLeaseMayBeFollowedAfterTheTolerance() {
    assertGood(granted(a, 1, 0), granted(b, 2, 1_100));
    assertBad("while the holder before it was live", granted(a, 1, 0), granted(b, 2, 1_099));
  }

  @Test
  void anExtendedLeaseMayBeFollowedAfterItsNewEnd() {
    assertGood(granted(a, 1, 0), extended(a, 500), granted(b, 2, 1_600));
    assertBad(
        "while the holder before it was live",
        granted(a, 1, 0),
        extended(a, 500),
        granted(b, 2, 1_599));
  }

  @Test
  void gapsBetweenFencesAreGood() {
    assertGood(granted(a, 1, 0), released(a, 1), granted(b, 7, 2));
  }

  @Test
  void everyKeyHasFencesOfItsOwn() {
    assertGood(granted("x", a, 1, 0), granted("y", b, 1, 0), granted("z", c, 1, 0));
  }

  @Test
  void aReleaseThatOverlapsTheNextGrantIsGood() {
    Released slow = new Released(a, new Span(0, 50_000_000));
    assertGood(granted(a, 1, 0), slow, granted(b, 2, 10));
  }

  @Test
  void twoHoldersAtOnceAreFound() {
    assertBad("while the holder before it was live", granted(a, 1, 0), granted(b, 2, 50));
  }

  @Test
  void aReleaseThatCameOnlyAfterTheNextGrantExplainsNothing() {
    assertBad(
        "while the holder before it was live",
        granted(a, 1, 0),
        granted(b, 2, 50),
        released(a, 60));
  }

  @Test
  void aRepeatedFenceIsFound() {
    assertBad("handed out twice", granted(a, 1, 0), released(a, 1), granted(b, 1, 2));
  }

  @Test
  void aFallingFenceIsFound() {
    assertBad(
        "larger than one that was asked for later",
        granted(a, 2, 0),
        released(a, 1),
        granted(b, 1, 2));
  }

  @Test
  void aFenceThatFallsFarBackIsFound() {
    assertBad(
        "larger than one that was asked for later",
        granted(a, 5, 0),
        released(a, 1),
        granted(b, 6, 2),
        released(b, 3),
        granted(c, 1, 4));
  }

  @Test
  void aClockThatRunsBackwardsBetweenHoldersIsFound() {
    Granted later = new Granted(
        LockKey.of("key"), b, new Fence(2), Ttl.ofMillis(100), START.plusMillis(50), span(20));
    assertBad(
        "granted before the holder of a smaller fence", granted(a, 1, 0), released(a, 10), later);
  }

  @Test
  void aSecondReleaseIsFound() {
    assertBad("released 2 times", granted(a, 1, 0), released(a, 10), released(a, 20));
  }

  @Test
  void aReleaseAfterTheNextHolderTookTheKeyIsFound() {
    assertBad(
        "released after the next holder",
        granted(a, 1, 0),
        granted(b, 2, 1_200),
        released(a, 1_300));
  }

  @Test
  void aLeaseThatIsBroughtBackIsFound() {
    assertGood(granted(a, 1, 0), extended(a, 1_099));
    assertBad("brought back after its end", granted(a, 1, 0), extended(a, 1_100));
  }

  @Test
  void anExtensionAfterTheNextHolderTookTheKeyIsFound() {
    assertBad(
        "extended after the next holder", granted(a, 1, 0), granted(b, 2, 500), extended(a, 600));
  }

  @Test
  void anExtensionAfterTheReleaseIsFound() {
    assertBad("extended after its release", granted(a, 1, 0), released(a, 10), extended(a, 20));
  }

  @Test
  void anAttemptThatWasGrantedTwiceIsFound() {
    assertGood(granted(a, 1, 0), granted(a, 1, 0));
    assertBad("granted twice", granted(a, 1, 0), granted(a, 2, 10));
  }

  @Test
  void aConfirmationForALeaseThatNobodyGotIsFound() {
    assertBad("never granted", released(a, 10));
  }
}
