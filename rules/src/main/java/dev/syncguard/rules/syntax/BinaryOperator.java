package dev.syncguard.rules.syntax;

import java.util.Arrays;
import java.util.Optional;

/** What can stand between two expressions, and how tightly it binds them. */
public enum BinaryOperator {
  /** At least one side; the second is not evaluated if the first decides. */
  OR("||", 1),
  /** Both sides; the second is not evaluated if the first decides. */
  AND("&&", 2),
  /** The same value. */
  EQUAL("==", 3),
  /** Another value. */
  NOT_EQUAL("!=", 3),
  /** An element of a list, or a key of a map. */
  IN("in", 4),
  /** Less than. */
  LESS("<", 5),
  /** Less than or the same. */
  LESS_OR_EQUAL("<=", 5),
  /** Greater than. */
  GREATER(">", 5),
  /** Greater than or the same. */
  GREATER_OR_EQUAL(">=", 5),
  /** A sum, two texts joined, or a point in time moved. */
  PLUS("+", 6),
  /** A difference, a point in time moved, or the time between two. */
  MINUS("-", 6),
  /** A product. */
  TIMES("*", 7),
  /** A quotient. */
  DIVIDE("/", 7),
  /** What is left of a division. */
  MODULO("%", 7);

  /** How tightly {@code is} binds, which has an expression on one side only. */
  static final int IS_BINDING = 4;

  private final String symbol;
  private final int binding;

  BinaryOperator(String symbol, int binding) {
    this.symbol = symbol;
    this.binding = binding;
  }

  /** Returns how rules write it. */
  public String symbol() {
    return symbol;
  }

  int binding() {
    return binding;
  }

  static Optional<BinaryOperator> of(Token token) {
    return Arrays.stream(values()).filter(operator -> token.is(operator.symbol)).findFirst();
  }
}
