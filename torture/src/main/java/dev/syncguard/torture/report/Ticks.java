package dev.syncguard.torture.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** Round times for the axis of a picture. */
final class Ticks {

  private static final double[] STEPS = {
    1_000,
    2_000,
    5_000,
    10_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    21_600_000
  };
  private static final int MOST = 12;

  private Ticks() {}

  /** Returns milliseconds and their names, at most a dozen for this length. */
  static Map<Double, String> of(double length) {
    double step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0 && length / STEPS[i] <= MOST; i--) {
      step = STEPS[i];
    }
    Map<Double, String> ticks = new LinkedHashMap<>();
    for (double at = 0; at <= length; at += step) {
      ticks.put(
          at, step >= 60_000 ? Math.round(at / 60_000) + " min" : Math.round(at / 1000) + " s");
    }
    return ticks;
  }
}
