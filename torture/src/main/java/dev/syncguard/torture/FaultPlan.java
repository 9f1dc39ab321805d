package dev.syncguard.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What is done to whom and when, all of it decided by a seed before anything begins.
 *
 * <p>Storms and calms take turns. In a storm faults follow one another, several workers at a time; a calm is long enough for
 * everything that may have been locked to end, so that the judge can tell a key that is stuck from one that is held.
 */
public record FaultPlan(long seed, List<Fault> faults) {

  private static final Duration LONGEST_STORM = Duration.ofSeconds(8);
  private static final Duration BEGINNING = Duration.ofSeconds(1);
  private static final int LONGEST_PAUSE_MILLIS = 400;

  public FaultPlan {
    faults = faults.stream().sorted(Comparator.comparing(Fault::after)).toList();
  }

  /** Returns the plan of a seed. The same arguments give the same plan. */
  public static FaultPlan of(
      long seed, Duration length, int workers, Duration ttl, Duration calm, Set<FaultKind> kinds) {
    List<FaultKind> known = kinds.stream().sorted().toList();
    List<Fault> faults = new ArrayList<>();
    Random random = new Random(seed);
    if (known.isEmpty()) {
      return new FaultPlan(seed, faults);
    }
    // A short campaign needs a calm, too.
    long third = length.dividedBy(3).toMillis();
    long lasting = Math.min(LONGEST_STORM.toMillis(), third);
    long round = lasting + calm.toMillis();
    for (long storm = BEGINNING.toMillis(); storm < length.toMillis(); storm += round) {
      // The store is restarted once in a storm, not again and again.
      if (kinds.contains(FaultKind.STORE_RESTART)) {
        faults.add(new Fault(
            Duration.ofMillis(storm + random.nextInt(1000)),
            FaultKind.STORE_RESTART,
            0,
            Duration.ZERO));
      }
      long end = Math.min(storm + lasting, length.toMillis());
      for (long at = storm; at < end; at += 50 + random.nextInt(LONGEST_PAUSE_MILLIS)) {
        FaultKind kind = known.get(random.nextInt(known.size()));
        int worker = random.nextInt(workers);
        Duration lasts = length(kind, ttl, random);
        if (kind != FaultKind.STORE_RESTART) {
          faults.add(new Fault(Duration.ofMillis(at), kind, worker, lasts));
        }
      }
    }
    return new FaultPlan(seed, faults);
  }

  private static Duration length(FaultKind kind, Duration ttl, Random random) {
    return switch (kind) {
      // Beyond the ttl and the tolerance of a second, so that somebody else has the key meanwhile.
      case PAUSE -> ttl.plusMillis(1200 + random.nextInt(1000));
      case SILENCE, LATE_REQUESTS -> Duration.ofMillis(200 + random.nextInt((int) ttl.toMillis()));
      case LOST_REPLIES, LOST_REQUESTS, SLOW_REPLIES ->
        Duration.ofMillis(100 + random.nextInt(900));
      case CLOCK ->
        Duration.ofMillis((random.nextBoolean() ? 1 : -1) * (long) random.nextInt(600_000));
      case KILL, RESTART, CUT, STORE_RESTART -> Duration.ZERO;
    };
  }
}
