package dev.syncguard.rules.value;

/** A way in which two values can relate. */
public enum Comparison {
  /** {@code ==} */
  EQUAL,
  /** {@code !=} */
  NOT_EQUAL,
  /** {@code <} */
  LESS,
  /** {@code <=} */
  LESS_OR_EQUAL,
  /** {@code >} */
  GREATER,
  /** {@code >=} */
  GREATER_OR_EQUAL;

  /** Returns the same question with the sides exchanged. */
  public Comparison mirrored() {
    return switch (this) {
      case EQUAL, NOT_EQUAL -> this;
      case LESS -> GREATER;
      case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
      case GREATER -> LESS;
      case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
    };
  }

  /** Returns the answer for values of which the first compares to the second like this number to 0. */
  public boolean holds(int order) {
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }
}
