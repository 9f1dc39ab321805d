package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease ends by itself, exactly when it said; extending sets a new end and never brings back what has ended. */
public abstract class ExpirationContract extends Contract {

  @Test
  @Tag("check-12")
  @Tag("check-15")
  void aLeaseEndsByItselfAndItsKeyCanBeTaken() {
    Grant gone = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(isLocked("report")).isFalse();
    Grant next = take("report");
    assertThat(next.fence()).isGreaterThan(gone.fence());
    assertHeld(next);
  }

  @Test
  @Tag("check-13")
  void anExtendedLeaseOutlivesItsFirstTtl() {
    Grant grant = take("report", SHORT);
    Instant end = extended(grant, LONG);
    assertThat(end).isAfter(grant.expiresAt());
    passBeyond(SHORT);
    assertHeld(grant);
  }

  @Test
  @Tag("check-14")
  void aLeaseThatHasEndedCannotBeExtended() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(extend(grant, LONG)).isFalse();
    assertThat(isLocked("report")).isFalse();
    assertFree("report");
  }

  @Test
  void aLeaseThatHasEndedCannotBeReleased() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(release(grant)).isFalse();
    assertFree("report");
  }

  @Test
  @Tag("check-16")
  void aLeaseCanBeExtendedAgainAndAgain() {
    Grant grant = take("report", SHORT);
    for (int i = 0; i < 5; i++) {
      assertThat(extend(grant, SHORT)).as("extension " + i).isTrue();
      pass(Duration.ofMillis(20));
    }
    assertThat(extend(grant, LONG)).isTrue();
    assertHeld(grant);
  }

  @Test
  @Tag("check-17")
  void aShortLeaseEndsWhileALongOneHolds() {
    take("short", SHORT);
    Grant held = take("long", LONG);
    passBeyond(SHORT);
    assertThat(isLocked("short")).isFalse();
    assertHeld(held);
  }

  @Test
  void aLeaseEndsOneTtlAfterTheMomentOfItsGrant() {
    // Stores count in whole milliseconds.
    Instant before = storeTime().truncatedTo(ChronoUnit.MILLIS);
    Grant grant = take("report", Ttl.ofMillis(12_345));
    Instant after = storeTime();
    assertThat(grant.expiresAt().minusMillis(12_345)).isBetween(before, after);
    LockInfo info = backend.lookup(new LockQuery.ByKey(grant.key()), NEVER).orElseThrow();
    assertThat(info.expiresAt()).isEqualTo(grant.expiresAt());
    assertThat(info.acquiredAt()).isEqualTo(grant.expiresAt().minusMillis(12_345));
  }

  @Test
  void anExtensionReplacesTheRemainingTimeInsteadOfAddingToIt() {
    Grant grant = take("report", LONG);
    pass(Duration.ofMillis(5));
    Instant before = storeTime().truncatedTo(ChronoUnit.MILLIS);
    Instant end = extended(grant, Ttl.ofMillis(54_321));
    Instant after = storeTime();
    assertThat(end.minusMillis(54_321)).isBetween(before, after);
    LockInfo info = backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow();
    assertThat(info.expiresAt()).isEqualTo(end);
    assertThat(info.acquiredAt()).isEqualTo(grant.expiresAt().minus(LONG.duration()));
    assertThat(info.fence()).isEqualTo(grant.fence());
  }

  @Test
  void anExtensionMayAlsoShortenALease() {
    Grant grant = take("report", LONG);
    assertThat(extended(grant, SHORT)).isBefore(grant.expiresAt());
    passBeyond(SHORT);
    assertThat(isLocked("report")).isFalse();
    assertThat(extend(grant, LONG)).isFalse();
  }

  @Test
  void aLockStaysVisibleWithinTheToleranceAndNeverBeyondIt() {
    // What counts is the store's own clock, which each sighting tells; so a slow machine proves
    // less, but nothing false.
    for (int round = 0; round < 10; round++) {
      Grant grant = take("report " + round, Ttl.ofMillis(1));
      boolean seenInTolerance = false;
      for (Optional<LockInfo> seen = sight(grant); seen.isPresent(); seen = sight(grant)) {
        Duration late = Duration.between(seen.get().expiresAt(), seen.get().observedAt());
        assertThat(late.toMillis()).isLessThan(Liveness.TIME_TOLERANCE_MS);
        seenInTolerance |= late.toMillis() > 0;
        pass(Duration.ofMillis(50));
      }
      assertThat(isLocked("report " + round)).isFalse();
      if (seenInTolerance) {
        return;
      }
    }
    throw new AssertionError("no lock was ever seen within the tolerance after its end");
  }

  private Optional<LockInfo> sight(Grant grant) {
    return backend.lookup(new LockQuery.ById(grant.id()), NEVER);
  }

  private Instant extended(Grant grant, Ttl ttl) {
    ExtendResult result = backend.extend(grant.id(), ttl, NEVER);
    assertThat(result).isInstanceOf(ExtendResult.Extended.class);
    return ((ExtendResult.Extended) result).expiresAt();
  }
}
