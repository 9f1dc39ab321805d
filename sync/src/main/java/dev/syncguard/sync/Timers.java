package dev.syncguard.sync;

/** Runs things later, on the engine's thread. */
public interface Timers {

  /** Runs {@code task} once after the delay, never from inside this call, and returns the way to prevent that. */
  Timer schedule(long delayMillis, Runnable task);

  /** Something that will run. */
  interface Timer {

    /** Prevents the run. Does nothing if it has already happened. */
    void cancel();
  }
}
