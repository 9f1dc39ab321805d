package dev.syncguard.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a backend gets that writes only what it must. */
class BackendDefaultsTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final LockId ID = LockId.random(new Random(1));
  private static final LockId LATER = LockId.random(new Random(2));
  private static final Ttl TTL = Ttl.ofMillis(30_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final MinimalBackend backend = new MinimalBackend();

  @Test
  void aNoteIsLeftOut() {
    AcquireResult answer = backend.acquire(KEY, ID, TTL, LockNote.of("nightly"), NEVER);
    assertThat(answer).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(lookedUp().note()).isEmpty();
    assertThat(lookedUp().lockId()).isEqualTo(ID);
  }

  @Test
  void aWaiterWithANoteGetsAPlaceAllTheSame() {
    WaitingLine line = new MemoryLockBackend().waitingLine().orElseThrow();
    // Without notes: only the method that every line has.
    WaitingLine plain = (key, id, wakeUp) -> line.join(key, id, wakeUp);
    try (WaitingLine.Place place = plain.join(KEY, ID, LockNote.of("nightly"), () -> {})) {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void aPlaceMayBeHandedALeaseUnlessItSaysOtherwise() {
    WaitingLine.Place place = new SilentPlace();
    assertThat(place.mayTakeOver()).isTrue();
  }

  @Test
  void whatIsLeftOfALeaseIsCountedOnTheClockOfTheStore() {
    AcquireResult.Acquired granted = AcquireResult.Acquired.at(70_000, new Fence(1), 100_000);
    assertThat(granted.remaining()).isEqualTo(TTL.duration());
    assertThat(granted.expiresAt()).isEqualTo(Instant.ofEpochSecond(100));
  }

  @Test
  void aLeaseIsEndedByForceOnceAndTold() {
    backend.acquire(KEY, ID, TTL, NEVER);
    assertThat(backend.forceRelease(KEY, NEVER)).map(LockInfoDebug::lockId).hasValue(ID);
    assertThat(backend.isLocked(KEY, NEVER)).isFalse();
    assertThat(backend.forceRelease(KEY, NEVER)).isEmpty();
  }

  @Test
  void whoeverCameMeanwhileIsNotEndedByForce() {
    backend.acquire(KEY, ID, TTL, NEVER);
    backend.afterLookup = () -> {
      backend.release(ID, NEVER);
      backend.acquire(KEY, LATER, TTL, NEVER);
    };
    assertThat(backend.forceRelease(KEY, NEVER)).isEmpty();
    assertThat(lookedUp().lockId()).isEqualTo(LATER);
  }

  @Test
  void whatAListingShowsEverybodyAreHashesInTheSameOrder() {
    LockInfoDebug first = info(KEY, ID);
    LockInfoDebug second = info(LockKey.of("invoice"), LATER);
    LockListing listing = (limit, cancellation) -> List.of(first, second).subList(0, limit);
    assertThat(listing.live(2, NEVER)).containsExactly(first.sanitized(), second.sanitized());
    assertThat(listing.live(1, NEVER)).hasSize(1);
  }

  @Test
  void nothingElseIsPromised() {
    assertThat(backend.waitingLine()).isEmpty();
    assertThat(backend.listing()).isEmpty();
    assertThat(backend.storeCheck()).isEmpty();
  }

  private LockInfoDebug lookedUp() {
    return backend.lookupRaw(new LockQuery.ByKey(KEY), NEVER).orElseThrow();
  }

  private static LockInfoDebug info(LockKey key, LockId id) {
    Instant now = Instant.EPOCH;
    return new LockInfoDebug(key, id, new Fence(1), now, now.plusSeconds(30), now);
  }

  /** A place with what every place must have, and nothing else. */
  private static final class SilentPlace implements WaitingLine.Place {
    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      return new AcquireResult.Contended();
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return new AcquireResult.Contended();
    }

    @Override
    public Duration patience() {
      return Duration.ofSeconds(1);
    }

    @Override
    public void close() {}
  }

  /** A real store behind the methods that have no default. */
  private static final class MinimalBackend implements LockBackend {
    private final MemoryLockBackend store = new MemoryLockBackend();
    private Runnable afterLookup = () -> {};

    @Override
    public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
      return store.acquire(key, id, ttl, cancellation);
    }

    @Override
    public ReleaseResult release(LockId id, Cancellation cancellation) {
      return store.release(id, cancellation);
    }

    @Override
    public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
      return store.extend(id, ttl, cancellation);
    }

    @Override
    public boolean isLocked(LockKey key, Cancellation cancellation) {
      return store.isLocked(key, cancellation);
    }

    @Override
    public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
      Optional<LockInfoDebug> found = store.lookupRaw(query, cancellation);
      afterLookup.run();
      return found;
    }

    @Override
    public Capabilities capabilities() {
      return store.capabilities();
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
