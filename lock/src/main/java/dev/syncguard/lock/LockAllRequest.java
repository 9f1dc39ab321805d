package dev.syncguard.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A request for several keys at once. Either all of them are ours afterwards, or none.
 *
 * <p>Immutable, like {@link LockRequest}. The time to wait counts for all keys together.
 */
public final class LockAllRequest {

  private final Locks locks;
  private final List<LockKey> keysInOrder;
  private final RequestOptions options;

  private LockAllRequest(Locks locks, List<LockKey> keysInOrder, RequestOptions options) {
    this.locks = locks;
    this.keysInOrder = keysInOrder;
    this.options = options;
  }

  static LockAllRequest of(Locks locks, Collection<String> keys, RequestOptions options) {
    List<LockKey> inOrder = keys.stream().map(LockKey::of).distinct().sorted().toList();
    if (inOrder.isEmpty()) {
      throw LockException.invalidArgument("At least one key is needed");
    }
    return new LockAllRequest(locks, inOrder, options);
  }

  /** Sets how long each lease lasts when nobody extends it. The default is 30 seconds. */
  public LockAllRequest ttl(Duration ttl) {
    return with(options.withTtl(ttl));
  }

  /** Sets how long to wait for all of the keys together. The default is 5 seconds. */
  public LockAllRequest waitUpTo(Duration limit) {
    return with(options.withWaitLimit(limit));
  }

  /** Ends the wait as soon as the store fails, instead of waiting for it to come back. */
  public LockAllRequest failFast() {
    return with(options.withFailFast());
  }

  /** Sets how to ask again where the store cannot wake us. The default is {@link RetryPolicy#DEFAULT}. */
  public LockAllRequest polling(RetryPolicy policy) {
    return with(options.withPolling(policy));
  }

  /** Renews the leases whenever a third of what remains has passed, each until it is released or has been held for {@code maxHold}. */
  public LockAllRequest autoExtend(Duration maxHold) {
    return with(options.withMaxHold(maxHold));
  }

  /** Lets the wait be given up from elsewhere. A release is never given up. */
  public LockAllRequest cancelWith(Cancellation cancellation) {
    return with(options.withCancellation(cancellation));
  }

  /** Sets who learns about a release that failed. The default is what {@link Locks} was built with. */
  public LockAllRequest onReleaseError(ReleaseErrorHandler handler) {
    return with(options.withOnReleaseError(handler));
  }

  private LockAllRequest with(RequestOptions changed) {
    return new LockAllRequest(locks, keysInOrder, changed);
  }

  /** Tries each key once, without waiting, and returns the leases unless somebody else holds one of the keys. */
  public Optional<LeaseGroup> tryAcquire() {
    return collect(key -> locks.tryAcquire(key, options));
  }

  /** Waits for the keys and returns the leases, or throws {@code AcquisitionTimeout}. */
  public LeaseGroup acquire() {
    long deadline = locks.nanos() + options.waitLimit().toNanos();
    return collect(key -> {
          long left = Math.max(deadline - locks.nanos(), 0);
          return Optional.of(locks.acquire(key, options.withWaitLimit(Duration.ofNanos(left))));
        })
        .orElseThrow();
  }

  private Optional<LeaseGroup> collect(Function<LockKey, Optional<Lease>> acquire) {
    List<Lease> leases = new ArrayList<>(keysInOrder.size());
    boolean complete = false;
    try {
      for (LockKey key : keysInOrder) {
        Optional<Lease> lease = acquire.apply(key);
        if (lease.isEmpty()) {
          return Optional.empty();
        }
        leases.add(lease.get());
      }
      // Waiting for the last key may have used up the time of the first.
      LeaseGroup group = new LeaseGroup(leases);
      group.ensureHeld(Duration.ZERO);
      complete = true;
      return Optional.of(group);
    } finally {
      if (!complete) {
        new LeaseGroup(leases).close();
      }
    }
  }

  /** Waits for the keys and does the work while holding them. They are always released. */
  public <X extends Exception> void run(GroupAction<X> work) throws X {
    try (LeaseGroup leases = acquire()) {
      work.run(leases);
    }
  }

  /** As {@link #acquire}, without blocking. Cancelling the future leaves no lock behind. */
  public CompletableFuture<LeaseGroup> acquireAsync() {
    return locks.async(options, inner -> cancelWith(inner).acquire(), LeaseGroup::close);
  }

  /** What is done while several locks are held. */
  @FunctionalInterface
  public interface GroupAction<X extends Exception> {
    void run(LeaseGroup leases) throws X;
  }
}
