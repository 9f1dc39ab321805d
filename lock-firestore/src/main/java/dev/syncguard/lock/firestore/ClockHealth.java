package dev.syncguard.lock.firestore;

import java.time.Duration;

/**
 * How far this machine's clock is from Firestore's, as far as Firestore's answers tell. Immutable.
 *
 * <p>Two clients exclude one another only while their clocks differ by at most one second. Nobody can see the other's
 * clock, so each keeps its own within half of that.
 *
 * @param offset our clock minus Firestore's, in the middle of what is possible
 * @param errorBound how far the truth may lie from {@code offset}, to either side
 * @param level what to do about it
 */
public record ClockHealth(Duration offset, Duration errorBound, Level level) {

  /** From here on somebody should look after the clock. */
  public static final Duration TARGET = Duration.ofMillis(100);

  /** From here on the operator is warned. */
  public static final Duration WARN = Duration.ofMillis(200);

  /** From here on the clock is not safe to lock by. */
  public static final Duration BLOCK = Duration.ofMillis(500);

  /** Nothing is known yet: Firestore has not answered so far. */
  public static final ClockHealth UNKNOWN =
      new ClockHealth(Duration.ZERO, Duration.ofDays(1), Level.UNKNOWN);

  /** What to do about an offset. It counts what is certain, so a slow network alone raises no alarm. */
  public enum Level {
    /** Firestore has not answered so far. */
    UNKNOWN,
    /** At most 100 ms: as it should be. */
    ON_TARGET,
    /** Between 100 and 200 ms: fine, but not as good as time servers can do. */
    TOLERABLE,
    /** At least 200 ms: check the time service of this machine. */
    WARN,
    /** At least 500 ms: do not lock with this clock, and do not deploy to this machine. */
    BLOCK
  }

  static ClockHealth of(Duration offset, Duration errorBound) {
    return new ClockHealth(offset, errorBound, level(certain(offset, errorBound)));
  }

  private static Level level(Duration distance) {
    if (distance.compareTo(BLOCK) >= 0) {
      return Level.BLOCK;
    }
    if (distance.compareTo(WARN) >= 0) {
      return Level.WARN;
    }
    return distance.compareTo(TARGET) > 0 ? Level.TOLERABLE : Level.ON_TARGET;
  }

  /** Returns how far the clock is off at least. */
  public Duration atLeast() {
    return certain(offset, errorBound);
  }

  /** Returns how far the clock is off at most. */
  public Duration atMost() {
    return offset.abs().plus(errorBound);
  }

  private static Duration certain(Duration offset, Duration errorBound) {
    Duration left = offset.abs().minus(errorBound);
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public String toString() {
    return level == Level.UNKNOWN
        ? "unknown"
        : (offset.isNegative() ? "" : "+") + offset.toMillis() + " ms (± " + errorBound.toMillis()
            + " ms), " + level;
  }
}
