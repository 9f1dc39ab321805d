package dev.syncguard.rules.syntax;

/** Ends the reading of a statement that cannot be understood. */
final class SyntaxError extends RuntimeException {
  private final transient Site site;

  SyntaxError(Site site, String message) {
    super(message, null, false, false);
    this.site = site;
  }

  /** Returns where in the source the problem begins. */
  int problemStart() {
    return site.start();
  }

  Problem problem() {
    return Problem.error(site, String.valueOf(getMessage()));
  }
}
