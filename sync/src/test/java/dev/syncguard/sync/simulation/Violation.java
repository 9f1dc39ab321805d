package dev.syncguard.sync.simulation;

/** Something happened that must never happen. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  Violation(String promise, String what) {
    super(promise + ": " + what);
  }

  /** Throws unless the promise is kept. */
  static void unless(boolean kept, String promise, java.util.function.Supplier<String> what) {
    if (!kept) {
      throw new Violation(promise, what.get());
    }
  }
}
