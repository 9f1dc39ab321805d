package dev.syncguard.rules.value;

/** What an expression came to: a value, a failure, or something that depends on documents nobody has read yet. */
public sealed interface Outcome permits RulesValue, Failure, Unknown {
  /** Returns whether this is the value {@code true}, the only outcome that grants anything. */
  default boolean isTrue() {
    return this == RulesValue.TRUE;
  }

  /**
   * Returns how many values this is made of, those that it contains more than once counted each time. To compare two
   * values can take as many steps.
   */
  default long weight() {
    return 1;
  }
}
