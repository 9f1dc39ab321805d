package dev.syncguard.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a lease lasts unless it is extended: a whole number of milliseconds, from 1 to 2<sup>31</sup>−1.
 *
 * @param millis the number of milliseconds
 */
public record Ttl(long millis) {

  /** The longest lease, a little under 25 days. */
  public static final Duration MAX = Duration.ofMillis(Integer.MAX_VALUE);

  public Ttl {
    if (millis < 1 || millis > Integer.MAX_VALUE) {
      throw LockException.invalidArgument(
          "A ttl must be 1 ms to " + Integer.MAX_VALUE + " ms; hold a lock longer by extending it");
    }
  }

  /** Returns the ttl for a duration, or throws {@code InvalidArgument}. */
  public static Ttl of(@Nullable Duration duration) {
    if (duration == null) {
      throw LockException.invalidArgument(
          "A ttl is needed, so that the lock ends when its holder dies");
    }
    if (duration.toNanosPart() % 1_000_000 != 0) {
      throw LockException.invalidArgument("A ttl must be a whole number of milliseconds");
    }
    if (duration.compareTo(MAX) > 0) {
      return new Ttl(Long.MAX_VALUE);
    }
    return new Ttl(duration.isNegative() ? -1 : duration.toMillis());
  }

  /** Returns a time to live of so many milliseconds, or throws {@code InvalidArgument}. */
  public static Ttl ofMillis(long millis) {
    return new Ttl(millis);
  }

  /** Returns the time to live as a duration. */
  public Duration duration() {
    return Duration.ofMillis(millis);
  }
}
