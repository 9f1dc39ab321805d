package dev.syncguard.sync;

/**
 * Lets one tab of a device at a time do something: {@code navigator.locks} in a browser, a file lock on a JVM.
 *
 * <p>Where it is {@link Outcome#unavailable}, the engine falls back to a lock of its own in the {@link SharedStore}.
 */
public interface MutualExclusion {

  /** Tries to become the only one under {@code name}, without waiting, and tells exactly one of the three outcomes. */
  void tryEnter(String name, Outcome outcome);

  /** What became of the attempt. */
  interface Outcome {

    /** The caller is the only one until it runs {@code leave}, which it does exactly once, or until its tab is gone. */
    void entered(Runnable leave);

    /** Somebody else is inside. */
    void busy();

    /** There is no such thing here. */
    void unavailable();
  }

  /** Returns the exclusion of an environment that has none. */
  static MutualExclusion none() {
    return (name, outcome) -> outcome.unavailable();
  }
}
