package dev.syncguard.torture;

import dev.syncguard.torture.history.Bounds;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a campaign is to do.
 *
 * @param length how long it lasts
 * @param workers how many workers there are at a time
 * @param threads how many threads each of them has
 * @param keys how many keys they share
 * @param ttl how long a lease lasts
 * @param patience how long after the end of a lease its key may stay locked
 * @param seed what the faults and the workers' choices come from
 * @param prefix what all keys begin with, so that they meet nobody else's
 * @param unwanted what is not to be done to the workers
 */
public record Settings(
    Duration length,
    int workers,
    int threads,
    int keys,
    Duration ttl,
    Duration patience,
    long seed,
    String prefix,
    Set<FaultKind> unwanted) {

  private static final Duration SHORTEST_TTL = Duration.ofMillis(500);

  public Settings {
    unwanted = Set.copyOf(unwanted);
    if (workers < 2 || workers > 64) {
      throw new IllegalArgumentException("There must be 2 to 64 workers");
    }
    if (threads < 1 || threads > 9) {
      throw new IllegalArgumentException("A worker must have 1 to 9 threads");
    }
    if (keys < 1 || keys > 100) {
      throw new IllegalArgumentException("There must be 1 to 100 keys");
    }
    if (ttl.compareTo(SHORTEST_TTL) < 0) {
      throw new IllegalArgumentException("The ttl must be at least 500 ms");
    }
  }

  /** Returns the usual settings for a campaign of this length. */
  public static Settings of(Duration length, long seed, String prefix) {
    return new Settings(
        length,
        4,
        2,
        3,
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        seed,
        prefix,
        EnumSet.noneOf(FaultKind.class));
  }

  /** Returns the keys. Two at a time differ only in case, which no store may overlook. */
  public List<String> keyNames() {
    return IntStream.range(0, keys)
        .mapToObj(i -> prefix + (i % 2 == 0 ? "key-" : "Key-") + i / 2)
        .toList();
  }

  Bounds bounds(boolean wakes) {
    return new Bounds(ttl, patience.dividedBy(2), patience, wakes);
  }

  /** Returns how long workers must be left in peace, so that the judge can see whether keys are stuck. */
  Duration calm() {
    return ttl.plusSeconds(2).plus(patience);
  }
}
