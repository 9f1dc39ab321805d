package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;

/**
 * A figure that has a target.
 *
 * @param remedy what it would take if the target is missed; empty if nobody knows
 */
public record Goal(String what, Quartiles measured, Target target, String remedy) {

  public Goal(String what, Quartiles measured, Target target) {
    this(what, measured, target, "");
  }

  String verdict() {
    String verdict = target.verdict(measured);
    return remedy.isEmpty() || target.isSurelyMetBy(measured)
        ? verdict
        : verdict + ". What it would take: " + remedy;
  }
}
