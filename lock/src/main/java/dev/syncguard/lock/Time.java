package dev.syncguard.lock;

import dev.syncguard.lock.runtime.SystemTime;
import java.time.Duration;
import java.time.Instant;

/**
 * Where the library gets its time from and how it waits, so that a test can decide both.
 *
 * <p>Implementations may be shared by threads.
 */
public interface Time {

  /** Returns the wall clock. Only for instants that others will read. */
  Instant now();

  /** Returns a monotonic reading in nanoseconds that counts time asleep, too. For every timeout and elapsed time. */
  long nanos();

  /** Returns a new signal that one thread can wait for. */
  Signal newSignal();

  /** Returns the time of this machine. */
  static Time system() {
    return SystemTime.INSTANCE;
  }

  /** Something that one thread waits for and any thread can fire. A signal that was fired early is not lost. */
  interface Signal {
    /** Waits until the signal is fired or the time is over, and returns whether it was fired. */
    boolean await(Duration atMost) throws InterruptedException;

    /** Wakes the waiting thread, or the next one that waits. */
    void fire();
  }
}
