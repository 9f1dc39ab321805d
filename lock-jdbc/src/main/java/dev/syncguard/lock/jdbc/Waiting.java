package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long one call waits while others use the database, and what makes it give up earlier.
 *
 * <p>Belongs to one call and its thread.
 */
final class Waiting {

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long startedAt = System.nanoTime();
  private final long limitNanos;
  private final Cancellation cancellation;
  private final boolean uninterruptible;
  private boolean interrupted;

  private Waiting(Duration limit, Cancellation cancellation, boolean uninterruptible) {
    this.limitNanos = limit.toNanos();
    this.cancellation = cancellation;
    this.uninterruptible = uninterruptible;
  }

  /** Returns the patience of a caller who may be interrupted. */
  static Waiting upTo(Duration limit, Cancellation cancellation) {
    return new Waiting(limit, cancellation, false);
  }

  /** Returns the patience of a caller who gives something back: an interrupt has to wait until that is done. */
  static Waiting uninterruptibly(Duration limit, Cancellation cancellation) {
    return new Waiting(limit, cancellation, true);
  }

  /** Takes the lock in the order of arrival, or throws what {@link #givenUp} says. */
  void enter(ReentrantLock turn) {
    while (isWorthWhile()) {
      try {
        if (turn.tryLock(Math.min(SLICE_NANOS, Math.max(left(), 0)), TimeUnit.NANOSECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (left() <= 0) {
        break;
      }
    }
    throw givenUp();
  }

  /** Lets time go by until somebody wakes the thread, and returns whether the call is still worth waiting for. */
  boolean await() {
    LockSupport.parkNanos(Math.min(SLICE_NANOS, Math.max(left(), 1)));
    interrupted |= Thread.interrupted();
    return left() > 0 && isWorthWhile();
  }

  /** Lets time go by until somebody wakes the thread, whoever wants to interrupt it meanwhile. */
  void awaitUninterruptibly() {
    LockSupport.parkNanos(SLICE_NANOS);
    interrupted |= Thread.interrupted();
  }

  /** Lets a little time go by before the next try, and returns whether there should be one. */
  boolean pause(int pausesBefore) {
    if (left() <= 0 || !isWorthWhile()) {
      return false;
    }
    LockSupport.parkNanos(
        Math.min(SHORTEST_PAUSE_NANOS * (pausesBefore + 1L), LONGEST_PAUSE_NANOS));
    interrupted |= Thread.interrupted();
    return isWorthWhile();
  }

  /** Returns why the call ended without having had its turn. */
  LockException givenUp() {
    if (cancellation.isCancelled()) {
      return new LockException(
          LockException.Code.ABORTED, "The caller cancelled the operation before it began");
    }
    if (interrupted && !uninterruptible) {
      return new LockException(
          LockException.Code.ABORTED, "The thread was interrupted before the operation began");
    }
    return new LockException(
        LockException.Code.SERVICE_UNAVAILABLE,
        "The lock store was in use by others for longer than "
            + TimeUnit.NANOSECONDS.toMillis(limitNanos)
            + " ms, so nothing was changed; try again, and look for a program that keeps a transaction"
            + " open on it or was stopped while it wrote");
  }

  /** Gives an interrupt that came meanwhile back to the thread. */
  void finish() {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isWorthWhile() {
    return !cancellation.isCancelled() && (uninterruptible || !interrupted);
  }

  private long left() {
    return limitNanos - (System.nanoTime() - startedAt);
  }
}
