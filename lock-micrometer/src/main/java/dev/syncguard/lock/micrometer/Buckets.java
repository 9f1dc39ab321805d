package dev.syncguard.lock.micrometer;

import java.time.Duration;
import java.util.stream.LongStream;

/** The borders of the histograms: few enough to keep, close enough to tell a good day from a bad one. */
final class Buckets {

  /** From a round trip to a long patience. */
  static final Duration[] WAIT =
      millis(1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000);

  /** From a quick update to a nightly job. */
  static final Duration[] HOLD =
      millis(10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000, 300_000, 3_600_000);

  /** One round trip. */
  static final Duration[] OPERATION = millis(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000);

  private Buckets() {}

  private static Duration[] millis(long... borders) {
    return LongStream.of(borders).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
