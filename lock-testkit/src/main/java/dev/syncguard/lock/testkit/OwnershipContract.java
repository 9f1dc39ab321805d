package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only the id that a lease was granted to can end it or prolong it. */
public abstract class OwnershipContract extends Contract {

  private static final Ttl OTHER = Ttl.ofMillis(1_234);

  @Test
  @Tag("check-18")
  void anotherIdCannotReleaseALock() {
    Grant grant = take("report");
    assertThat(release(newId())).isFalse();
    assertHeld(grant);
  }

  @Test
  @Tag("check-19")
  void anotherIdCannotExtendALock() {
    Grant grant = take("report");
    assertThat(extend(stranger(grant), OTHER)).isFalse();
    assertHeld(grant);
    assertThat(endOf(grant)).isEqualTo(grant.expiresAt());
  }

  @Test
  @Tag("check-20")
  void releasingOneLockLeavesTheOther() {
    Grant a = take("a");
    Grant b = take("b");
    assertThat(release(b)).isTrue();
    assertHeld(a);
    assertFree("b");
  }

  @Test
  @Tag("check-21")
  void theIdOfAnEndedLeaseCannotTouchTheNextHolder() {
    Grant old = take("report", SHORT);
    passBeyond(SHORT);
    Grant next = take("report");
    assertThat(extend(old, OTHER)).isFalse();
    assertThat(release(old)).isFalse();
    assertThat(backend.lookup(new LockQuery.ById(old.id()), NEVER)).isEmpty();
    assertHeld(next);
    assertThat(endOf(next)).isEqualTo(next.expiresAt());
  }

  @Test
  void theIdOfAReleasedLeaseCannotTouchTheNextHolder() {
    Grant old = take("report");
    release(old);
    Grant next = take("report");
    assertThat(release(old)).isFalse();
    assertThat(extend(old, OTHER)).isFalse();
    assertThat(backend.lookup(new LockQuery.ById(old.id()), NEVER)).isEmpty();
    assertHeld(next);
    assertThat(endOf(next)).isEqualTo(next.expiresAt());
  }

  @Test
  void aReleasedLeaseCannotBeExtended() {
    Grant grant = take("report");
    assertThat(release(grant)).isTrue();
    assertThat(extend(grant, LONG)).isFalse();
    assertFree("report");
  }

  @Test
  @Tag("check-22")
  void theRightIdExtendsAndReleases() {
    Grant grant = take("report");
    assertThat(extend(grant, LONG)).isTrue();
    assertThat(release(grant)).isTrue();
    assertFree("report");
  }

  @Test
  void whoeverKnowsTheKeyReleasesLikeEverybodyElse() {
    Grant grant = take("report");
    assertThat(releaseKnowingTheKey(stranger(grant))).isFalse();
    assertHeld(grant);
    assertThat(releaseKnowingTheKey(grant)).isTrue();
    assertFree("report");
    assertThat(backend.lookup(new LockQuery.ById(grant.id()), NEVER)).isEmpty();
    assertThat(releaseKnowingTheKey(grant)).isFalse();
  }

  @Test
  void knowingTheKeyDoesNotHelpOnceTheLeaseHasEnded() {
    Grant old = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(releaseKnowingTheKey(old)).isFalse();
    Grant next = take("report");
    assertThat(releaseKnowingTheKey(old)).isFalse();
    assertHeld(next);
  }

  private boolean releaseKnowingTheKey(Grant grant) {
    return backend.release(grant.key(), grant.id(), NEVER) instanceof ReleaseResult.Released;
  }

  @Test
  @Tag("check-23")
  void releasesWithWrongIdsAtTheSameMomentAllFailAndTheRightOneSucceeds() throws Exception {
    Grant grant = take("report");
    List<Boolean> wrong = Together.run(6, i -> release(newId()));
    assertThat(wrong).containsOnly(false);
    assertHeld(grant);
    assertThat(release(grant)).isTrue();
  }

  @Test
  @Tag("check-24")
  void anExtendedLeaseStillBelongsToItsId() {
    Grant grant = take("report");
    assertThat(extend(grant, LONG)).isTrue();
    assertThat(release(newId())).isFalse();
    assertThat(extend(stranger(grant), OTHER)).isFalse();
    assertHeld(grant);
    assertThat(release(grant)).isTrue();
    assertFree("report");
  }

  @Test
  void ofManyReleasesAtTheSameMomentExactlyOneSucceeds() throws Exception {
    for (int round = 0; round < 20; round++) {
      Grant grant = take("report");
      assertThat(Together.run(8, i -> release(grant)))
          .as("round " + round)
          .filteredOn(released -> released)
          .hasSize(1);
      assertThat(isLocked("report")).isFalse();
    }
  }

  private static Grant stranger(Grant grant) {
    return new Grant(grant.key(), newId(), grant.fence(), grant.expiresAt());
  }

  private Instant endOf(Grant grant) {
    return backend.lookup(new LockQuery.ByKey(grant.key()), NEVER).orElseThrow().expiresAt();
  }
}
