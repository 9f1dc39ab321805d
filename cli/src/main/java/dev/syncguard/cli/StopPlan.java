package dev.syncguard.cli;

import java.time.Duration;

/**
 * When to begin stopping a command so that it is gone before its lease ends.
 *
 * <p>From the end backwards: a margin for what takes longer than it should; the time between TERM and KILL; and another
 * margin, so that normally we begin, and the warden only does if we are not able to.
 *
 * @param grace the time between TERM and KILL
 * @param margin how much to allow for delays
 */
record StopPlan(Duration grace, Duration margin) {

  private static final Duration LONGEST_MARGIN = Duration.ofSeconds(1);

  /** A renewal is due at two thirds of the ttl, so the plan stays well below that. */
  static StopPlan of(Duration ttl, Duration killAfter) {
    return new StopPlan(
        shorter(killAfter, ttl.dividedBy(4)), shorter(LONGEST_MARGIN, ttl.dividedBy(12)));
  }

  /** Returns whether the command has to be stopped now. */
  boolean isDue(Duration remaining) {
    return remaining.compareTo(grace.plus(margin).plus(margin)) <= 0;
  }

  /** Returns how long the warden may wait for news. Only asked when the plan is not due. */
  Duration patience(Duration remaining) {
    return remaining.minus(grace).minus(margin);
  }

  /** Returns how often to look at the lease. */
  Duration pace() {
    return margin.dividedBy(4);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
