package dev.syncguard.rules.syntax;

import java.util.Optional;
import java.util.Set;

/** {@code allow methods: if condition}; without a condition it always allows. */
public record AllowStatement(
    SourceRange range, Set<RulesMethod> methods, Optional<Expression> condition) {
  /** Returns where a decision by this statement is said to come from: the condition, if there is one. */
  public SourceRange decisiveRange() {
    return condition.map(Expression::range).orElse(range);
  }
}
