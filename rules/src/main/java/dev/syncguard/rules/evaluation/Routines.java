package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.ValueType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The routines of one type or library, while they are put together. Not thread-safe. */
final class Routines {
  private final Map<String, Routine> routines = new HashMap<>();

  /** Adds a routine with a fixed number of arguments. */
  Routines add(String name, int arguments, Routine.Body body) {
    return add(name, arguments, arguments, body);
  }

  Routines add(String name, int fewest, int most, Routine.Body body) {
    routines.put(name, new Routine(fewest, most, body));
    return this;
  }

  /** Adds a routine that takes one value of a type. */
  <A extends RulesValue> Routines one(
      String name, Class<A> type, ValueType word, Function<A, Outcome> body) {
    return add(name, 1, arguments -> {
      RulesValue value = arguments.get(0);
      return type.isInstance(value) ? body.apply(type.cast(value)) : Failure.type(value, word);
    });
  }

  /** Adds a routine that takes two values of a type. */
  <A extends RulesValue> Routines two(
      String name, Class<A> type, ValueType word, BiFunction<A, A, Outcome> body) {
    return add(name, 2, arguments -> {
      RulesValue first = arguments.get(0);
      RulesValue second = arguments.get(1);
      if (!type.isInstance(first)) {
        return Failure.type(first, word);
      }
      return type.isInstance(second)
          ? body.apply(type.cast(first), type.cast(second))
          : Failure.type(second, word);
    });
  }

  Map<String, Routine> build() {
    return Map.copyOf(routines);
  }

  /** Returns an int, if the number fits into one. */
  static Outcome whole(double number) {
    if (Double.isNaN(number) || number < Long.MIN_VALUE || number >= 0x1p63) {
      return Failure.because("The result does not fit into an int.");
    }
    return new IntValue((long) number);
  }
}
