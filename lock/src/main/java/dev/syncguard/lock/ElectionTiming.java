package dev.syncguard.lock;

import java.time.Duration;

/**
 * How long the steps of an election may take.
 *
 * @param ttl how long a leader that died stays leader; a new one is there about a second later
 * @param stopTimeout how long before the end of its lease a leader that cannot renew it is told to stop; within it {@link
 *     Candidate#revoked} has to return, so that its work is over before the next leader's begins
 */
public record ElectionTiming(Duration ttl, Duration stopTimeout) {

  /** A dead leader is replaced within 17 seconds, a living one has 5 seconds to stop. */
  public static final ElectionTiming DEFAULT =
      new ElectionTiming(Duration.ofSeconds(15), Duration.ofSeconds(5));

  public ElectionTiming {
    Ttl.of(ttl);
    if (stopTimeout.isNegative() || stopTimeout.compareTo(ttl.dividedBy(2)) > 0) {
      throw LockException.invalidArgument(
          "The time to stop must be zero to half of the ttl, so that there is time to renew the lease");
    }
  }
}
