package dev.syncguard.lock.firestore;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads, decides and writes until nobody came in between.
 *
 * <p>Each write is tied to the documents as they were read. Whoever is overtaken reads again; since somebody else got
 * on then, all of them together always do. Threads may share it.
 */
final class Optimism {

  private static final int MOST_ROUNDS = 12;
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Time time;
  private final Duration patience;

  Optimism(Time time, Duration patience) {
    this.time = time;
    this.patience = patience;
  }

  /** One round: reads, decides, and writes at most once. */
  interface Round<T> {
    Settled<T> play();
  }

  /**
   * How a round ended.
   *
   * @param outcome whether what it wrote was accepted
   * @param answer what to answer if so
   */
  record Settled<T>(Calls.Outcome outcome, T answer) {
    /** Returns the end of a round that had nothing to write. */
    static <T> Settled<T> with(T answer) {
      return new Settled<>(Calls.Outcome.DONE, answer);
    }
  }

  <T> T play(Round<T> round) {
    long start = time.nanos();
    for (int rounds = 1; ; rounds++) {
      Settled<T> settled = round.play();
      if (settled.outcome == Calls.Outcome.DONE) {
        return settled.answer;
      }
      if (rounds == MOST_ROUNDS || time.nanos() - start > patience.toNanos()) {
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
