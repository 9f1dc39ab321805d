package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;

/** A figure that has a target. */
public record Goal(String what, Quartiles measured, Target target) {

  String verdict() {
    return target.verdict(measured);
  }
}
