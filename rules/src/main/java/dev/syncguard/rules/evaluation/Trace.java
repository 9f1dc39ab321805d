package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.value.Outcome;

/** Sees every expression that is evaluated, inner ones before outer ones. */
@FunctionalInterface
public interface Trace {
  /** Looks away. */
  Trace NONE = (expression, outcome) -> {};

  /** Says that an expression is about to be evaluated. */
  default void entering(Expression expression) {}

  /** Hears what an expression came to. */
  void evaluated(Expression expression, Outcome outcome);
}
