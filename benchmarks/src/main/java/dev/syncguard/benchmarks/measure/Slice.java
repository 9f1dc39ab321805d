package dev.syncguard.benchmarks.measure;

import java.util.Arrays;
import java.util.List;

/** What one participant did in one slice of time. */
public record Slice(double perSecond, double p50Micros, double p99Micros) {

  /** Sums up how long each operation of each thread took. */
  static Slice of(List<long[]> nanosByThread, double seconds) {
    long[] nanos = nanosByThread.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    if (nanos.length == 0) {
      throw new IllegalStateException("Not one operation was finished");
    }
    return new Slice(nanos.length / seconds, micros(nanos, 0.5), micros(nanos, 0.99));
  }

  private static double micros(long[] sorted, double part) {
    return sorted[(int) (part * (sorted.length - 1))] / 1e3;
  }
}
