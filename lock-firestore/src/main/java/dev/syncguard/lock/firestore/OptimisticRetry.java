package dev.syncguard.lock.firestore;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads, decides and writes until nobody came in between.
 *
 * <p>Each write is tied to the documents as they were read. Whoever is overtaken reads again; since somebody else got
 * on then, all of them together always do. Thread-safe.
 */
final class OptimisticRetry {

  private static final int MOST_ROUNDS = 12;
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Time time;

  OptimisticRetry(Time time) {
    this.time = time;
  }

  /** One attempt: reads, decides, and writes at most once. */
  interface Attempt<T> {
    Settled<T> run();
  }

  /**
   * How an attempt ended.
   *
   * @param outcome whether what it wrote was accepted
   * @param answer what to answer if so
   */
  record Settled<T>(Calls.Outcome outcome, T answer) {
    /** Returns the end of an attempt that had nothing to write. */
    static <T> Settled<T> with(T answer) {
      return new Settled<>(Calls.Outcome.DONE, answer);
    }
  }

  <T> T run(Operation operation, Attempt<T> attempt) {
    for (int rounds = 1; ; rounds++) {
      Settled<T> settled = attempt.run();
      if (settled.outcome == Calls.Outcome.DONE) {
        return settled.answer;
      }
      if (rounds == MOST_ROUNDS || operation.leftNanos(time) == 0) {
        throw new LockException(
            LockException.Code.SERVICE_UNAVAILABLE,
            "Too many others want the same documents of Firestore; nothing was changed, try again");
      }
      if (settled.outcome == Calls.Outcome.CROWDED) {
        long longest = SHORTEST_PAUSE_NANOS * rounds;
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest / 2, longest));
      }
    }
  }
}
