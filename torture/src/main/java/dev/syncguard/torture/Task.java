package dev.syncguard.torture;

import java.time.Duration;
import java.util.List;

/**
 * What a worker is to do.
 *
 * @param worker its number
 * @param incarnation how many with this number there were before
 * @param threads how many of its threads take locks
 * @param keys the keys that it takes
 * @param ttl how long its leases last unless it renews them
 * @param seed what its choices come from
 */
public record Task(
    int worker, int incarnation, int threads, List<String> keys, Duration ttl, long seed) {

  private static final long ATTEMPTS_PER_THREAD = 100_000_000L;

  public Task {
    keys = List.copyOf(keys);
    if (keys.isEmpty() || threads < 1 || threads > 9) {
      throw new IllegalArgumentException("A worker needs keys, and 1 to 9 threads");
    }
  }

  /** Returns the number before the first attempt of a thread, so that no two attempts of a worker have the same. */
  long attemptsFrom(int thread) {
    return (incarnation * 10L + thread) * ATTEMPTS_PER_THREAD;
  }

  /**
   * Returns whether it ends like a program that closes its store but not its locks. What it holds then must last until it runs
   * out: closing a store ends no lease.
   */
  boolean leavesItsLocks() {
    return (worker + incarnation) % 2 == 1;
  }

  /** Returns the task as words for a command line. */
  List<String> words() {
    return List.of(
        Integer.toString(worker),
        Integer.toString(incarnation),
        Integer.toString(threads),
        String.join(",", keys),
        Long.toString(ttl.toMillis()),
        Long.toString(seed));
  }

  /** Returns the task that the words of a command line say. */
  static Task parse(List<String> words) {
    return new Task(
        Integer.parseInt(words.get(0)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        List.of(words.get(3).split(",", -1)),
        Duration.ofMillis(Long.parseLong(words.get(4))),
        Long.parseLong(words.get(5)));
  }
}
