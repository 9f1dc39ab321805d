package dev.syncguard.sync.remote;

import dev.syncguard.sync.Clocks;

/**
 * The server's time as far as this session has heard it, carried on by the monotonic clock.
 *
 * <p>Until a server was heard it is the device's wall clock, which may be wrong by years.
 */
public final class AnchoredClock {

  private final Clocks clocks;
  private boolean heard;
  private long serverMillis;
  private long heardAtMonotonic;
  private long earliest = Long.MIN_VALUE;

  public AnchoredClock(Clocks clocks) {
    this.clocks = clocks;
  }

  /** Takes the time of an answer that has just come. */
  public void hear(long millis) {
    heard = true;
    serverMillis = millis;
    heardAtMonotonic = clocks.monotonicMillis();
  }

  /** Takes the time of an earlier write: the server cannot be before it. */
  public void isAtLeast(long millis) {
    earliest = Math.max(earliest, millis);
  }

  /** Returns whether a server was heard, so that the time is known and not only believed. */
  boolean isAnchored() {
    return heard;
  }

  public long nowMillis() {
    long now =
        heard ? serverMillis + (clocks.monotonicMillis() - heardAtMonotonic) : clocks.wallMillis();
    return Math.max(now, earliest);
  }
}
