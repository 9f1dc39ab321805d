package dev.syncguard.lock.waiting;

import dev.syncguard.lock.LockException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Those who wait for one key in this process, and how the store has been doing for them. Guarded by the waiting room. */
public final class WaitingQueue {

  final Deque<Waiter> waiters = new ArrayDeque<>();
  int handOffsInARow;

  @Nullable
  LockException lastFailure;

  private boolean answered;

  /** Returns whether the store keeps somebody without an answer for so long that nobody knows who holds the key. */
  private boolean isSilent() {
    return waiters.stream().anyMatch(Waiter::isLeftWithoutAnswer);
  }

  public void answered() {
    answered = true;
    lastFailure = null;
  }

  /** Notes what became of a request for a waiter, whose queue is gone if it was the last one and has left. */
  public static void noteFailure(Waiter waiter, @Nullable WaitingQueue queue, Throwable failure) {
    boolean brokenOff = waiter.stop.isCancelled() || Thread.currentThread().isInterrupted();
    if (failure instanceof LockException error && (error.isRetryable() || brokenOff)) {
      if (queue != null && (error.isRetryable() || waiter.isOverdue())) {
        queue.lastFailure = error.isRetryable() ? error : notInTime();
      }
      waiter.failure = waiter.options.failFast() && !brokenOff ? error : null;
    } else {
      waiter.failure = failure;
    }
  }

  private static LockException notInTime() {
    return new LockException(LockException.Code.NETWORK_TIMEOUT, "The store gave no answer");
  }

  /** Returns what to tell a waiter whose time is up: what really stood in its way. */
  public static LockException endOfWait(Waiter waiter, @Nullable WaitingQueue queue) {
    // What was left: of several keys, those before may have taken most of the time.
    String waited = "the " + waiter.options.waitLimit().toMillis() + " ms that were left to wait";
    LockException failure = queue == null ? null : queue.lastFailure;
    if (failure != null || queue == null || !queue.answered || queue.isSilent()) {
      LockException.Code code =
          failure == null ? LockException.Code.NETWORK_TIMEOUT : failure.code();
      String last = failure == null ? "" : ". The last error was: " + failure.getMessage();
      return new LockException(
          code, "The store did not answer before the end of " + waited + last, failure);
    }
    return new LockException(
        LockException.Code.ACQUISITION_TIMEOUT,
        "Somebody else held the lock for all of " + waited + "; wait longer or try again later");
  }
}
