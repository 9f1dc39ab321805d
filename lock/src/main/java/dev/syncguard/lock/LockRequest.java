package dev.syncguard.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A request for one key, with its options: {@code locks.lock("report").ttl(ofSeconds(20)).acquire()}.
 *
 * <p>Immutable: each setting returns a new request, so one may be kept and used by many threads. Waiting ends in
 * {@link LockException.Code#ABORTED} when the thread is interrupted (which it stays) or the cancellation is cancelled.
 */
public final class LockRequest {

  private final Locks locks;
  private final LockKey key;
  private final RequestOptions options;

  LockRequest(Locks locks, LockKey key, RequestOptions options) {
    this.locks = locks;
    this.key = key;
    this.options = options;
  }

  /** Sets how long the lease lasts when nobody extends it. The default is 30 seconds. */
  public LockRequest ttl(Duration ttl) {
    return with(options.withTtl(ttl));
  }

  /**
   * Sets how long to wait for the key. The default is 5 seconds.
   *
   * <p>The wait also outlasts a store that fails, restarts or fails over; only what waiting cannot mend ends it at once,
   * such as wrong credentials. Then and when the time is up the exception says what really stood in the way.
   */
  public LockRequest waitUpTo(Duration limit) {
    return with(options.withWaitLimit(limit));
  }

  /** Ends the wait as soon as the store fails, instead of waiting for it to come back. */
  public LockRequest failFast() {
    return with(options.withFailFast());
  }

  /** Sets how to ask again where the store cannot wake us. The default is {@link RetryPolicy#DEFAULT}. */
  public LockRequest polling(RetryPolicy policy) {
    return with(options.withPolling(policy));
  }

  /** Renews the lease whenever a third of what remains has passed, until it is released or has been held for {@code maxHold}. */
  public LockRequest autoExtend(Duration maxHold) {
    return with(options.withMaxHold(maxHold));
  }

  /** Lets the wait be given up from elsewhere. A release is never given up. */
  public LockRequest cancelWith(Cancellation cancellation) {
    return with(options.withCancellation(cancellation));
  }

  /** Sets who learns about a release that failed. The default is what {@link Locks} was built with. */
  public LockRequest onReleaseError(ReleaseErrorHandler handler) {
    return with(options.withOnReleaseError(handler));
  }

  private LockRequest with(RequestOptions changed) {
    return new LockRequest(locks, key, changed);
  }

  /** Tries once, without waiting, and returns the lease unless somebody else holds the key. */
  public Optional<Lease> tryAcquire() {
    return locks.tryAcquire(key, options);
  }

  /** Waits for the key and returns the lease, or throws {@code AcquisitionTimeout}. */
  public Lease acquire() {
    return locks.acquire(key, options);
  }

  /** Waits for the key and does the work while holding it. The lock is always released. */
  public <X extends Exception> void run(LockedAction<X> work) throws X {
    try (Lease lease = acquire()) {
      work.run(lease);
    }
  }

  /** Waits for the key and returns what the work computes while holding it. The lock is always released. */
  public <T, X extends Exception> T call(LockedFunction<T, X> work) throws X {
    try (Lease lease = acquire()) {
      return work.call(lease);
    }
  }

  /** As {@link #tryAcquire}, without blocking. Cancelling the future leaves no lock behind. */
  public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
    return locks.async(
        options, inner -> cancelWith(inner).tryAcquire(), unused -> unused.ifPresent(Lease::close));
  }

  /** As {@link #acquire}, without blocking. Cancelling the future leaves no lock behind. */
  public CompletableFuture<Lease> acquireAsync() {
    return locks.async(options, inner -> cancelWith(inner).acquire(), Lease::close);
  }

  /** As {@link #run}, without blocking. Cancelling the future ends the wait, but not work that has begun. */
  @SuppressWarnings("NullAway") // Void has no other value than null.
  public CompletableFuture<Void> runAsync(LockedAction<? extends RuntimeException> work) {
    return this.<Void>callAsync(lease -> {
      work.run(lease);
      return null;
    });
  }

  /** As {@link #call}, without blocking. Cancelling the future ends the wait, but not work that has begun. */
  public <T> CompletableFuture<T> callAsync(LockedFunction<T, ? extends RuntimeException> work) {
    return locks.async(options, inner -> cancelWith(inner).call(work), unused -> {});
  }
}
