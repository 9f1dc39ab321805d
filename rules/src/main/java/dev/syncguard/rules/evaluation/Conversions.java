package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.BoolValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.Arrays;
import java.util.Map;

/** The functions that turn a value into one of another type, and {@code debug}, which does not. */
final class Conversions {
  private Conversions() {}

  static Map<String, Routine> functions() {
    return new Routines()
        .add("int", 1, a -> integer(a.get(0)))
        .add("float", 1, a -> real(a.get(0)))
        .add("string", 1, a -> string(a.get(0)))
        .add("bool", 1, a -> bool(a.get(0)))
        .add("path", 1, a -> path(a.get(0)))
        // What is passed through here is seen in the trace, as everything is.
        .add("debug", 1, a -> a.get(0))
        .build();
  }

  private static Outcome integer(RulesValue value) {
    if (value instanceof FloatValue real) {
      return Routines.whole(real.value());
    } else if (value instanceof StringValue text) {
      try {
        return RulesValue.of(Long.parseLong(text.value()));
      } catch (NumberFormatException e) {
        return Failure.because("Not an int.");
      }
    }
    return value instanceof IntValue
        ? value
        : Failure.type(value, ValueType.INT, ValueType.FLOAT, ValueType.STRING);
  }

  private static Outcome real(RulesValue value) {
    if (value instanceof IntValue whole) {
      return RulesValue.of((double) whole.value());
    } else if (value instanceof StringValue text) {
      try {
        return RulesValue.of(Double.parseDouble(text.value()));
      } catch (NumberFormatException e) {
        return Failure.because("Not a float.");
      }
    }
    return value instanceof FloatValue
        ? value
        : Failure.type(value, ValueType.INT, ValueType.FLOAT, ValueType.STRING);
  }

  static Outcome string(RulesValue value) {
    if (value instanceof IntValue whole) {
      return RulesValue.of(Long.toString(whole.value()));
    } else if (value instanceof FloatValue real) {
      return RulesValue.of(Double.toString(real.value()));
    } else if (value instanceof BoolValue bool) {
      return RulesValue.of(Boolean.toString(bool.value()));
    } else if (value instanceof PathValue path) {
      return RulesValue.of(path.text());
    } else if (value instanceof RulesValue.NullValue) {
      return RulesValue.of("null");
    }
    return value instanceof StringValue
        ? value
        : Failure.type(
            value,
            ValueType.BOOL,
            ValueType.FLOAT,
            ValueType.INT,
            ValueType.NULL,
            ValueType.PATH,
            ValueType.STRING);
  }

  private static Outcome bool(RulesValue value) {
    if (value instanceof StringValue text) {
      return switch (text.value()) {
        case "true" -> RulesValue.TRUE;
        case "false" -> RulesValue.FALSE;
        default -> Failure.because("Not a bool.");
      };
    }
    return value instanceof BoolValue ? value : Failure.type(value, ValueType.STRING);
  }

  private static Outcome path(RulesValue value) {
    if (value instanceof PathValue) {
      return value;
    } else if (value instanceof StringValue text) {
      return new PathValue(Arrays.stream(text.value().split("/", -1))
          .filter(segment -> !segment.isEmpty())
          .toList());
    }
    return Failure.type(value, ValueType.STRING);
  }
}
