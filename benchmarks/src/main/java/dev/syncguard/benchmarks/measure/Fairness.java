package dev.syncguard.benchmarks.measure;

import java.util.Collection;

/** How evenly something was shared. */
public final class Fairness {

  private Fairness() {}

  /** Returns Jain's index: 1 if all got the same, 1/n if one of n got everything. */
  public static double jain(Collection<Long> shares) {
    double sum = 0;
    double sumOfSquares = 0;
    for (long share : shares) {
      sum += share;
      sumOfSquares += (double) share * share;
    }
    // Nobody got anything, which is even.
    return sumOfSquares == 0 ? 1 : sum * sum / (shares.size() * sumOfSquares);
  }
}
