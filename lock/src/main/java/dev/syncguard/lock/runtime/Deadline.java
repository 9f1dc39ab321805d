package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Time;
import java.time.Duration;

/** The end of a span of time that several steps share. */
public final class Deadline {

  private final Time time;
  private final long endNanos;

  public Deadline(Duration span, Time time) {
    this.time = time;
    this.endNanos = time.nanos() + span.toNanos();
  }

  /** Returns how much time is left, at least zero. */
  public Duration left() {
    return Duration.ofNanos(Math.max(endNanos - time.nanos(), 0));
  }
}
