package dev.syncguard.lock.runtime;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to leave a store alone that did not answer.
 *
 * <p>Pauses double, and half of each is random. They stay below a second, so that a store that is back is noticed within
 * one.
 */
public final class OutageBackoff {

  private static final long FIRST_NANOS = Duration.ofMillis(100).toNanos();
  private static final int MOST_DOUBLINGS = 3;

  private OutageBackoff() {}

  /** Returns the pause after so many failures in a row, counted from 1. */
  public static Duration after(int failures, RandomGenerator random) {
    long full = FIRST_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
    return Duration.ofNanos((long) (full * (1 + random.nextDouble()) / 2));
  }
}
