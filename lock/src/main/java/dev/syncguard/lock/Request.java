package dev.syncguard.lock;

import dev.syncguard.lock.waiting.RequestOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A request for something to hold, with its options. What they mean is the same for one key, for several and for one of
 * many permits.
 *
 * <p>Immutable: each setting returns a new request, so one may be kept and used by many threads. Waiting ends in
 * {@link LockException.Code#ABORTED} when the thread is interrupted (which it stays) or the cancellation is cancelled.
 *
 * @param <R> the kind of request
 * @param <H> what is held
 */
public abstract sealed class Request<R extends Request<R, H>, H extends AutoCloseable>
    permits LockRequest, LockAllRequest, Semaphore {

  final Locks locks;
  final RequestOptions options;

  Request(Locks locks, RequestOptions options) {
    this.locks = locks;
    this.options = options;
  }

  abstract R with(RequestOptions changed);

  abstract void close(H held);

  /** Sets how long a lease lasts when nobody extends it. The default is 30 seconds. */
  public final R ttl(Duration ttl) {
    return with(options.withTtl(ttl));
  }

  /**
   * Sets how long to wait, for all that is asked for together. The default is 5 seconds.
   *
   * <p>The wait also outlasts a store that fails, restarts or fails over; only what waiting cannot mend ends it at once,
   * such as wrong credentials. Then and when the time is up the exception says what really stood in the way.
   */
  public final R waitUpTo(Duration limit) {
    return with(options.withWaitLimit(limit));
  }

  /** Ends the wait as soon as the store fails, instead of waiting for it to come back. */
  public final R failFast() {
    return with(options.withFailFast());
  }

  /** Sets how to ask again where the store cannot wake us. The default is {@link RetryPolicy#DEFAULT}. */
  public final R polling(RetryPolicy policy) {
    return with(options.withPolling(policy));
  }

  /** Renews a lease whenever a third of what remains has passed, until it is released or has been held for {@code maxHold}. */
  public final R autoExtend(Duration maxHold) {
    return with(options.withMaxHold(maxHold));
  }

  /**
   * Keeps the lock for at least this long after it was granted, so that a job that is done in no time is not done again by a
   * machine whose clock is a little behind. The default is zero; the ttl must be no shorter.
   *
   * <p>A release that comes earlier ends the lease for its holder, but at the store only shortens its ttl to what is left. No
   * thread waits for that, and nothing has to go on running. The store lets go up to a second later.
   */
  public final R lockAtLeastFor(Duration atLeast) {
    return with(options.withAtLeast(atLeast));
  }

  /**
   * Says who holds what is asked for, to people who look at the store; see {@link LockNote}. The default is what {@link
   * Locks} was built with.
   */
  public final R note(LockNote note) {
    return with(options.withNote(note));
  }

  /** As {@link #note(LockNote)}, with these words alone. */
  public final R note(String words) {
    return note(LockNote.of(words));
  }

  /** Lets the wait be given up from elsewhere. A release is never given up. */
  public final R cancelWith(Cancellation cancellation) {
    return with(options.withCancellation(cancellation));
  }

  /** Sets who learns about a release that failed. The default is what {@link Locks} was built with. */
  public final R onReleaseError(ReleaseErrorHandler handler) {
    return with(options.withOnReleaseError(handler));
  }

  /** Tries once, without waiting, and returns nothing if somebody else holds what was asked for. */
  public abstract Optional<H> tryAcquire();

  /** Waits for what was asked for and returns it, or throws {@code AcquisitionTimeout}. */
  public abstract H acquire();

  /** Waits and does the work while holding what was asked for. It is always released. */
  public final <X extends Exception> void run(LockedAction<? super H, X> work) throws X {
    this.<Boolean, X>call(held -> {
      work.run(held);
      return true;
    });
  }

  /** Waits and returns what the work computes while holding what was asked for. It is always released. */
  public final <T, X extends Exception> T call(LockedFunction<? super H, T, X> work) throws X {
    H held = acquire();
    try {
      return work.call(held);
    } finally {
      close(held);
    }
  }

  /** As {@link #tryAcquire}, without blocking. Cancelling the future leaves no lock behind. */
  public final CompletableFuture<Optional<H>> tryAcquireAsync() {
    return locks.async(
        options, inner -> cancelWith(inner).tryAcquire(), unused -> unused.ifPresent(this::close));
  }

  /** As {@link #acquire}, without blocking. Cancelling the future leaves no lock behind. */
  public final CompletableFuture<H> acquireAsync() {
    return locks.async(options, inner -> cancelWith(inner).acquire(), this::close);
  }

  /** As {@link #run}, without blocking. Cancelling the future ends the wait, but not work that has begun. */
  @SuppressWarnings("NullAway") // Void has no other value than null.
  public final CompletableFuture<Void> runAsync(
      LockedAction<? super H, ? extends RuntimeException> work) {
    return this.<Void>callAsync(held -> {
      work.run(held);
      return null;
    });
  }

  /** As {@link #call}, without blocking. Cancelling the future ends the wait, but not work that has begun. */
  public final <T> CompletableFuture<T> callAsync(
      LockedFunction<? super H, T, ? extends RuntimeException> work) {
    return locks.async(options, inner -> cancelWith(inner).call(work), unused -> {});
  }
}
