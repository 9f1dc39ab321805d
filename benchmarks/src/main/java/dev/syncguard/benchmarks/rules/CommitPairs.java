package dev.syncguard.benchmarks.rules;

import dev.syncguard.benchmarks.measure.Quartiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Commits in pairs, one without rules and one with, each first in turn: what disturbs the machine then disturbs both, and
 * the middle of their differences hardly moves. Not thread-safe.
 */
final class CommitPairs implements Callable<CommitPairs.Millis> {

  /** The middle of all commits of each kind, and of the differences inside each pair. */
  record Millis(double open, double guarded, double added) {}

  private static final int FEWEST_PAIRS = 3;

  private final EnvelopeCommits open;
  private final EnvelopeCommits guarded;
  private final long sliceNanos;

  CommitPairs(EnvelopeCommits open, EnvelopeCommits guarded, long sliceNanos) {
    this.open = open;
    this.guarded = guarded;
    this.sliceNanos = sliceNanos;
  }

  @Override
  public Millis call() {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    List<Double> added = new ArrayList<>();
    long start = System.nanoTime();
    while (added.size() < FEWEST_PAIRS || System.nanoTime() - start < sliceNanos) {
      boolean openFirst = added.size() % 2 == 0;
      double first = (openFirst ? open : guarded).commit();
      double second = (openFirst ? guarded : open).commit();
      without.add(openFirst ? first : second);
      with.add(openFirst ? second : first);
      added.add(openFirst ? second - first : first - second);
    }
    return new Millis(middle(without), middle(with), middle(added));
  }

  private static double middle(List<Double> values) {
    return Quartiles.of(values).median();
  }
}
