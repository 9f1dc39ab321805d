package dev.syncguard.rules.value;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * An expression that has no value, and why.
 *
 * @param line where it happened, counted from 1; 0 while nobody has said so
 */
public record Failure(String message, int line, int column) implements Outcome {
  /** Returns a failure with this message, whose place is not known yet. */
  public static Failure because(String message) {
    return new Failure(message, 0, 0);
  }

  /** Returns the failure of an operation that does not exist for such a value. */
  public static Failure type(RulesValue received, ValueType... expected) {
    String types = Arrays.stream(expected).map(ValueType::word).collect(Collectors.joining(","));
    return because(
        "Type error. Received: [" + received.type().word() + "] Expected: [" + types + "].");
  }

  /** Returns the failure of asking an object for what it does not have. */
  public static Failure undefined(String property) {
    return because("Property " + property + " is undefined on object.");
  }

  /** Returns the failure of asking {@code null} for anything. */
  public static Failure nullValue() {
    return because("Null value error.");
  }

  /** Returns the failure with its place, unless it already has one. */
  public Failure at(int line, int column) {
    return this.line == 0 ? new Failure(message, line, column) : this;
  }
}
