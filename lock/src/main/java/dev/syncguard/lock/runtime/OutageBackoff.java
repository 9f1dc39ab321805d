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
  private static final long SCOUT_NANOS = Duration.ofMillis(150).toNanos();

  private OutageBackoff() {}

  /** Returns the pause after so many failures in a row, counted from 1. */
  public static Duration after(int failures, RandomGenerator random) {
    return halfRandom(FIRST_NANOS << Math.min(failures - 1, MOST_DOUBLINGS), random);
  }

  /** Returns the pause of the one who asks for all who wait, short enough for a store that is back to be noticed at once. */
  public static Duration ofScout(RandomGenerator random) {
    return halfRandom(SCOUT_NANOS, random);
  }

  private static Duration halfRandom(long nanos, RandomGenerator random) {
    return Duration.ofNanos((long) (nanos * (1 + random.nextDouble()) / 2));
  }
}
