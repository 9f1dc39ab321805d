package dev.syncguard.torture.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Durations in milliseconds, in ascending order. */
record Sample(List<Double> millis) {

  private static final double[] LIMITS = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, Double.MAX_VALUE
  };

  Sample {
    millis = millis.stream().sorted().toList();
  }

  static Sample ofNanos(Collection<Long> nanos) {
    return new Sample(nanos.stream().map(n -> n / 1e6).toList());
  }

  int size() {
    return millis.size();
  }

  /** Returns the value below which this share of all lies, or 0 if there is none. */
  double quantile(double share) {
    return millis.isEmpty()
        ? 0
        : millis.get((int) Math.min(millis.size() - 1, share * millis.size()));
  }

  double max() {
    return quantile(1);
  }

  /** How many values there are up to a limit that are above the limit before it. */
  record Bucket(String label, long count) {}

  /** Returns buckets that get wider, as wide as the values need them. */
  List<Bucket> histogram() {
    List<Bucket> buckets = new ArrayList<>();
    double from = 0;
    for (double limit : LIMITS) {
      double low = from;
      long count = millis.stream().filter(m -> m >= low && m < limit).count();
      buckets.add(new Bucket(label(low, limit), count));
      from = limit;
    }
    while (!buckets.isEmpty() && buckets.get(buckets.size() - 1).count() == 0) {
      buckets.remove(buckets.size() - 1);
    }
    return buckets;
  }

  private static String label(double from, double to) {
    return to == Double.MAX_VALUE ? "> " + text(from) : "< " + text(to);
  }

  /** Returns a number of milliseconds as people write it. */
  static String text(double millis) {
    return millis >= 1000 ? rounded(millis / 1000) + " s" : rounded(millis) + " ms";
  }

  private static String rounded(double number) {
    double tenths = Math.round(number * 10) / 10.0;
    return number >= 10 || tenths == Math.rint(tenths)
        ? Long.toString(Math.round(number))
        : Double.toString(tenths);
  }
}
