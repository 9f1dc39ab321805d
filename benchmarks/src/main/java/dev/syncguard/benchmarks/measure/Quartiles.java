package dev.syncguard.benchmarks.measure;

import java.util.Collection;

/** The middle of many measurements, and between which values the middle half of them lies. */
public record Quartiles(double lower, double median, double upper) {

  public Quartiles {
    if (!(lower <= median && median <= upper)) {
      throw new IllegalArgumentException(
          "Quartiles must ascend, but were " + lower + ", " + median + ", " + upper);
    }
  }

  /** Returns the quartiles of these values; between two neighbours, they are interpolated. */
  public static Quartiles of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
  }

  private static double at(double[] sorted, double part) {
    if (sorted.length == 0) {
      throw new IllegalArgumentException("There are no quartiles of nothing");
    }
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    // A ratio to nothing is infinite, and there is nothing between two of those.
    return place == below || sorted[below] == sorted[above]
        ? sorted[below]
        : sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Returns the width of the middle half as a part of the median: how noisy the measurement was. */
  public double spread() {
    return (upper - lower) / median;
  }
}
