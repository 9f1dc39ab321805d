package dev.syncguard.lock;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often and how fast a waiter asks again where the store cannot wake it.
 *
 * @param maxRetries how many more refusals to take after the first one, if the time to wait lasts that long
 * @param delay the pause after the first attempt
 * @param backoff how the pause grows
 * @param jitter how much of the pause is left to chance
 */
public record RetryPolicy(int maxRetries, Duration delay, Backoff backoff, Jitter jitter) {

  /** As many retries as the wait allows, starting at 100 ms and doubling, half of each pause random. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL);

  private static final long LONGEST_NANOS = Duration.ofHours(1).toNanos();

  /** How the pause grows. */
  public enum Backoff {
    /** Twice as long each time. */
    EXPONENTIAL,
    /** Not at all. */
    FIXED
  }

  /** How much of a pause is left to chance, so that waiters do not move in step. */
  public enum Jitter {
    /** Half of it. */
    EQUAL,
    /** All of it. */
    FULL,
    /** Nothing. */
    NONE
  }

  public RetryPolicy {
    if (maxRetries < 0) {
      throw LockException.invalidArgument("The number of retries must not be negative");
    }
    if (delay.isNegative() || delay.isZero() || delay.compareTo(Duration.ofHours(1)) > 0) {
      throw LockException.invalidArgument(
          "The delay between retries must be above zero and at most an hour");
    }
  }

  /** Returns this policy with another limit on how often an attempt is repeated. */
  public RetryPolicy withMaxRetries(int retries) {
    return new RetryPolicy(retries, delay, backoff, jitter);
  }

  /** Returns this policy with another first pause. */
  public RetryPolicy withDelay(Duration pause) {
    return new RetryPolicy(maxRetries, pause, backoff, jitter);
  }

  /** Returns this policy with pauses that grow, or do not. */
  public RetryPolicy withBackoff(Backoff growth) {
    return new RetryPolicy(maxRetries, delay, growth, jitter);
  }

  /** Returns this policy with another share of chance in its pauses. */
  public RetryPolicy withJitter(Jitter chance) {
    return new RetryPolicy(maxRetries, delay, backoff, chance);
  }

  /** Returns the pause after the given attempt, counted from 1. It never exceeds an hour. */
  public Duration pauseAfter(int attempt, RandomGenerator random) {
    int doublings = backoff == Backoff.FIXED ? 0 : Math.min(attempt - 1, 62);
    long base = delay.toNanos();
    long full = base > LONGEST_NANOS >> doublings ? LONGEST_NANOS : base << doublings;
    return Duration.ofNanos(
        switch (jitter) {
          case NONE -> full;
          case FULL -> (long) (full * random.nextDouble());
          case EQUAL -> (long) (full * (1 + random.nextDouble()) / 2);
        });
  }
}
