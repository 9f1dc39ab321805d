package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.ValueType;
import java.util.Map;
import java.util.function.DoubleFunction;

/** The library {@code math}. */
final class NumberRoutines {
  private NumberRoutines() {}

  static Map<String, Routine> math() {
    return new Routines()
        .add("abs", 1, arguments -> {
          if (arguments.get(0) instanceof IntValue whole) {
            return TimeRoutines.guarded(() ->
                RulesValue.of(whole.value() < 0 ? Math.negateExact(whole.value()) : whole.value()));
          }
          return number(arguments.get(0), n -> RulesValue.of(Math.abs(n)));
        })
        .add("ceil", 1, a -> rounded(a.get(0), n -> Routines.whole(Math.ceil(n))))
        .add("floor", 1, a -> rounded(a.get(0), n -> Routines.whole(Math.floor(n))))
        .add("round", 1, a -> rounded(a.get(0), n -> Routines.whole(Math.floor(n + 0.5))))
        .add("isInfinite", 1, a -> number(a.get(0), n -> RulesValue.of(Double.isInfinite(n))))
        .add("isNaN", 1, a -> number(a.get(0), n -> RulesValue.of(Double.isNaN(n))))
        .add("sqrt", 1, a -> number(a.get(0), n -> RulesValue.of(Math.sqrt(n))))
        .add(
            "pow",
            2,
            a -> number(
                a.get(0),
                base -> number(a.get(1), exponent -> RulesValue.of(Math.pow(base, exponent)))))
        .build();
  }

  /** An int is already round, and may be too large for a double. */
  private static Outcome rounded(RulesValue value, DoubleFunction<Outcome> body) {
    return value instanceof IntValue ? value : number(value, body);
  }

  private static Outcome number(RulesValue value, DoubleFunction<Outcome> body) {
    if (value instanceof IntValue whole) {
      return body.apply((double) whole.value());
    }
    return value instanceof FloatValue real
        ? body.apply(real.value())
        : Failure.type(value, ValueType.INT, ValueType.FLOAT);
  }
}
