package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock is taken, seen, and given back; and asking about what does not exist is no error. */
public abstract class LifecycleContract extends Contract {

  @Test
  @Tag("check-1")
  void aLockIsSeenWhileItIsHeldAndGoneAfterItsRelease() {
    Grant grant = take("report");
    assertThat(isLocked("report")).isTrue();
    assertThat(release(grant)).isTrue();
    assertThat(isLocked("report")).isFalse();
  }

  @Test
  @Tag("check-2")
  void aGrantCarriesAFence() {
    assertThat(take("report").fence()).isEqualTo(Fence.FIRST);
    assertThat(backend.capabilities().supportsFencing()).isTrue();
  }

  @Test
  @Tag("check-3")
  void locksOnSeveralKeysAreIndependent() {
    Grant first = take("first");
    Grant second = take("second");
    Grant third = take("third");
    assertThat(release(second)).isTrue();
    assertHeld(first);
    assertFree("second");
    assertHeld(third);
  }

  @Test
  @Tag("check-4")
  void aSecondReleaseIsAnsweredNoWithoutAnException() {
    Grant grant = take("report");
    assertThat(release(grant)).isTrue();
    assertThat(release(grant)).isFalse();
  }

  @Test
  @Tag("check-5")
  @Tag("check-48")
  void releasingAnUnknownIdIsAnsweredNo() {
    assertThat(release(newId())).isFalse();
  }

  @Test
  @Tag("check-49")
  void extendingAnUnknownIdIsAnsweredNo() {
    Grant never = new Grant(key("report"), newId(), Fence.FIRST, storeTime());
    assertThat(extend(never, LONG)).isFalse();
    assertThat(isLocked("report")).isFalse();
  }

  @Test
  @Tag("check-50")
  void aKeyThatNobodyEverTookIsNotLocked() {
    assertThat(isLocked("never taken")).isFalse();
  }

  @Test
  @Tag("check-51")
  void lookingUpWhatDoesNotExistFindsNothing() {
    assertThat(backend.lookup(new LockQuery.ByKey(key("never taken")), NEVER)).isEmpty();
    assertThat(backend.lookup(new LockQuery.ById(newId()), NEVER)).isEmpty();
  }

  @Test
  @Tag("check-6")
  void manyQuickRoundsAllSucceed() {
    for (int round = 1; round <= 50; round++) {
      Grant grant = take("report");
      assertThat(grant.fence()).isEqualTo(new Fence(round));
      assertThat(release(grant)).as("release of round " + round).isTrue();
    }
    assertFree("report");
  }

  @Test
  void twoBackendsOverOneStoreSeeTheSameLocks() {
    LockBackend other = open();
    Grant grant = take("report");
    assertThat(other.isLocked(grant.key(), NEVER)).isTrue();
    assertThat(other.lookupRaw(new LockQuery.ById(grant.id()), NEVER)).isPresent();
    assertThat(other.release(grant.id(), NEVER)).isInstanceOf(ReleaseResult.Released.class);
    assertThat(take(other, "report", LONG).fence()).isEqualTo(grant.fence().next());
    assertThat(isLocked("report")).isTrue();
  }

  @Test
  void closingABackendLeavesItsLeasesAlone() {
    LockBackend other = open();
    Grant grant = take(other, "report", LONG);
    other.close();
    assertHeld(grant);
    assertThat(release(grant)).isTrue();
  }

  @Test
  void aBackendCanBeClosedTwice() {
    LockBackend other = open();
    other.close();
    other.close();
    assertFree("report");
  }

  @Test
  void aBackendSaysWhatItIs() {
    Capabilities capabilities = backend.capabilities();
    assertThat(capabilities.backend()).matches("[a-z][a-z0-9-]*");
    assertThat(capabilities.timeAuthority()).isNotNull();
    assertThat(open().capabilities()).isEqualTo(capabilities);
  }
}
