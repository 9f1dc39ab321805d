package dev.syncguard.rules.syntax;

/** Ends the reading of a statement that cannot be understood. */
final class SyntaxError extends RuntimeException {
  private final transient SourceRange range;

  SyntaxError(SourceRange range, String message) {
    super(message, null, false, false);
    this.range = range;
  }

  /** Returns where in the source the problem begins. */
  int problemStart() {
    return range.start();
  }

  Problem problem() {
    return Problem.error(range, String.valueOf(getMessage()));
  }
}
