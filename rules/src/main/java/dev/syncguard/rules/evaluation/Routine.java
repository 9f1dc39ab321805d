package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import java.util.List;

/**
 * A function or method of the language.
 *
 * @param fewest how many arguments it needs, its object included
 */
record Routine(int fewest, int most, Body body) {
  /** What a routine does with its arguments, of which a method's object is the first. */
  @FunctionalInterface
  interface Body {
    Outcome apply(List<RulesValue> arguments);
  }

  Outcome call(List<RulesValue> arguments) {
    if (arguments.size() < fewest || arguments.size() > most) {
      return Failure.because("Wrong number of arguments.");
    }
    return body.apply(arguments);
  }
}
