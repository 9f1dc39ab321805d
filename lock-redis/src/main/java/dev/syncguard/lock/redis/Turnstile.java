package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets only so many threads through at a time, first come, first served. Thread-safe.
 *
 * <p>A pool cannot be told to stop waiting, so that whoever can be cancelled would need a thread that waits in their place. Here they
 * wait themselves, and only those who got through ask the pool.
 */
final class Turnstile {

  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<CompletableFuture<Boolean>> line = new ArrayDeque<>();
  private int free;

  Turnstile(int atMost) {
    this.free = atMost;
  }

  /**
   * Returns whether it was our turn in time; {@link #leave} must follow if it was.
   *
   * @param atMost how long to wait; without end if negative
   * @throws CancellationException if cancelled meanwhile
   */
  boolean enter(Duration atMost, Cancellation cancellation) throws InterruptedException {
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    guard.lock();
    try {
      if (free > 0) {
        free--;
        return true;
      }
      line.addLast(turn);
    } finally {
      guard.unlock();
    }
    boolean entered = false;
    try (Cancellation.Registration listening = cancellation.onCancel(() -> turn.cancel(false))) {
      entered = atMost.isNegative() ? turn.get() : turn.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return entered;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // Nobody lets anybody in with an error.
    } finally {
      if (!entered) {
        giveUp(turn);
      }
    }
  }

  private void giveUp(CompletableFuture<Boolean> turn) {
    guard.lock();
    try {
      line.removeIf(each -> each == turn);
    } finally {
      guard.unlock();
    }
    if (!turn.cancel(false) && !turn.isCancelled()) {
      leave(); // It was our turn in the very last moment.
    }
  }

  /** Lets the next one in. */
  void leave() {
    guard.lock();
    try {
      CompletableFuture<Boolean> next = line.pollFirst();
      while (next != null && !next.complete(true)) {
        next = line.pollFirst();
      }
      if (next == null) {
        free++;
      }
    } finally {
      guard.unlock();
    }
  }
}
