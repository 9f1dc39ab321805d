package dev.syncguard.rules.syntax;

import java.util.Arrays;
import java.util.Optional;

/** What can stand between two expressions, and how tightly it binds them. */
public enum BinaryOperator {
  OR("||", 1),
  AND("&&", 2),
  EQUAL("==", 3),
  NOT_EQUAL("!=", 3),
  IN("in", 4),
  LESS("<", 5),
  LESS_OR_EQUAL("<=", 5),
  GREATER(">", 5),
  GREATER_OR_EQUAL(">=", 5),
  PLUS("+", 6),
  MINUS("-", 6),
  TIMES("*", 7),
  DIVIDE("/", 7),
  MODULO("%", 7);

  /** How tightly {@code is} binds, which has an expression on one side only. */
  static final int IS_BINDING = 4;

  private final String symbol;
  private final int binding;

  BinaryOperator(String symbol, int binding) {
    this.symbol = symbol;
    this.binding = binding;
  }

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
