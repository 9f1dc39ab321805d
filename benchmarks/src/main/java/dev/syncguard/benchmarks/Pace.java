package dev.syncguard.benchmarks;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param warmUp how many operations each participant does before its first slice: enough for its code to be compiled
 *     and for files like SQLite's log to have grown to their usual size
 * @param rounds how often everybody has a slice
 * @param slice how long one participant works at a time
 * @param contests how often everybody has a contest, which takes longer
 * @param contest how long one contest for a lock lasts
 * @param processes how many processes compete when each contender is one, on servers with many peers
 * @param leases how many leases are held at once to see what one weighs
 * @param fences how many locks, fences or documents the largest store has
 * @param waiters how many wait at once at most, a power of ten
 */
public record Pace(
    int warmUp,
    int rounds,
    Duration slice,
    int contests,
    Duration contest,
    int processes,
    int leases,
    int fences,
    int waiters) {

  /** Enough for figures to be published. */
  static final Pace FULL = new Pace(
      1500, 11, Duration.ofMillis(150), 5, Duration.ofMillis(1000), 8, 100_000, 1_000_000, 1_000);

  /** Enough to see that everything still runs. */
  static final Pace QUICK =
      new Pace(20, 2, Duration.ofMillis(30), 1, Duration.ofMillis(200), 2, 1_000, 1_000, 10);

  Pace withRounds(int count) {
    return new Pace(
        warmUp, count, slice, (count + 1) / 2, contest, processes, leases, fences, waiters);
  }
}
