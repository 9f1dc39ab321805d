package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The live locks can be listed, soonest to expire first. For backends that offer a {@link LockListing}. */
public abstract class ListingContract extends Contract {

  private List<LockInfo> live(int limit) {
    return backend.listing().orElseThrow().live(limit, NEVER);
  }

  @Test
  void anEmptyStoreHasNoLiveLocks() {
    assertThat(live(10)).isEmpty();
  }

  @Test
  void theListShowsWhatALookupShows() {
    Grant grant = take("payment:42", LONG, LockNote.of("the cashier"));
    take("another", Ttl.ofMillis(LONG.millis() / 2));
    LockInfo info = backend.lookup(new LockQuery.ByKey(grant.key()), NEVER).orElseThrow();
    assertThat(live(10)).hasSize(2).last().satisfies(listed -> {
      assertThat(listed.keyHash()).isEqualTo(info.keyHash());
      assertThat(listed.lockIdHash()).isEqualTo(info.lockIdHash());
      assertThat(listed.fence()).isEqualTo(info.fence());
      assertThat(listed.acquiredAt()).isEqualTo(info.acquiredAt());
      assertThat(listed.expiresAt()).isEqualTo(info.expiresAt());
      assertThat(listed.observedAt()).isBetween(info.acquiredAt(), info.expiresAt());
      assertThat(listed.note()).isEqualTo(info.note());
      assertThat(listed.waiting()).isEqualTo(info.waiting());
      assertThat(listed.toString()).doesNotContain("payment:42");
    });
  }

  @Test
  void keysAndIdsAreListedOnlyForThoseWhoAskForThem() {
    Grant grant = take("payment:42", LONG, LockNote.of("the cashier"));
    assertThat(backend.listing().orElseThrow().liveRaw(10, NEVER))
        .singleElement()
        .satisfies(listed -> {
          assertThat(listed.key()).isEqualTo(grant.key());
          assertThat(listed.lockId()).isEqualTo(grant.id());
          assertThat(listed.sanitized().note()).isEqualTo(live(10).get(0).note());
          assertThat(listed.toString()).doesNotContain("payment:42");
        });
  }

  @Test
  void thoseThatEndFirstLeadAndTheLimitHolds() {
    Grant last = take("last", Ttl.ofMillis(300_000));
    Grant first = take("first", Ttl.ofMillis(100_000));
    Grant second = take("second", Ttl.ofMillis(200_000));
    assertThat(live(10))
        .extracting(LockInfo::keyHash)
        .containsExactly(first.key().hash(), second.key().hash(), last.key().hash());
    assertThat(live(2))
        .extracting(LockInfo::keyHash)
        .containsExactly(first.key().hash(), second.key().hash());
  }

  @Test
  void endedAndReleasedLocksAreNotListed() {
    take("ended", SHORT);
    Grant held = take("held");
    Grant released = take("released");
    release(released);
    passBeyond(SHORT);
    assertThat(live(10))
        .extracting(LockInfo::keyHash)
        .containsExactly(held.key().hash());
  }

  @Test
  void listingChangesNothing() {
    Grant grant = take("report");
    live(10);
    live(1);
    assertHeld(grant);
    assertThat(live(10)).extracting(LockInfo::expiresAt).containsExactly(grant.expiresAt());
  }

  @Test
  void aCancelledListingIsAborted() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    LockListing listing = backend.listing().orElseThrow();
    assertRefused(LockException.Code.ABORTED, () -> listing.live(10, cancelled));
  }
}
