package dev.syncguard.benchmarks.handoff;

import dev.syncguard.benchmarks.measure.Fairness;
import java.util.List;

/** The result of one contest; only hand-offs from one contender to another count. */
public record HandOffs(double perSecond, double longestWaitMillis, double jain) {

  static HandOffs of(long handOffs, double seconds, List<Showing> showings) {
    long longest = showings.stream().mapToLong(Showing::longestWaitNanos).max().orElseThrow();
    return new HandOffs(
        handOffs / seconds,
        longest / 1e6,
        Fairness.jain(showings.stream().map(Showing::grants).toList()));
  }
}
