package dev.syncguard.lock.spi;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Lets an opportunistic cleanup through only once in a while. Thread-safe. */
public final class CleanupPace {

  private final Time time;
  private final long intervalNanos;
  private final AtomicLong nextAt;

  /** Creates a pace whose first cleanup may come at once. */
  public CleanupPace(Duration interval, Time time) {
    this.time = time;
    this.intervalNanos = interval.toNanos();
    this.nextAt = new AtomicLong(time.nanos());
  }

  /** Returns whether it is time for one, which then counts as done. */
  public boolean isDue() {
    long now = time.nanos();
    long due = nextAt.get();
    return now - due >= 0 && nextAt.compareAndSet(due, now + intervalNanos);
  }
}
