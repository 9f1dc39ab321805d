package dev.syncguard.lock;

import java.time.Duration;

/**
 * Runs work away from the caller's thread: renewals, releases that nobody waits for, asynchronous calls.
 *
 * <p>Thread-safe. The work may block, so it must not run on the thread that keeps the time.
 */
public interface Background {

  /** Runs the work once the delay is over. */
  Task after(Duration delay, Runnable work);

  /** Work that was handed over. */
  interface Task {
    /** Keeps the work from starting; does nothing once it has. */
    void cancel();
  }
}
