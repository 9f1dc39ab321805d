package dev.syncguard.rules.evaluation;

/** Ends an evaluation that costs more than any may. No operator rescues it. */
public final class EvaluationLimit extends RuntimeException {
  EvaluationLimit(String message) {
    super(message, null, false, false);
  }
}
