package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Time;
import java.time.Duration;

/**
 * Notices that the wall clock and the monotonic one went apart while a lease was held.
 *
 * <p>On Firestore a lease ends by the wall clock; what the holder counts down is monotonic. If the machine slept, the
 * first went on without the second; if somebody set the clock, it jumped. Either way the two no longer speak of the same
 * lease.
 */
final class PauseDetector {

  /** More than two readings of two clocks take, unless the thread is stopped in between. */
  private static final Duration NOISE = Duration.ofMillis(250);

  /** The holder counts from before its request, so that its count ends earlier than the lease, by a request at most. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

  private PauseDetector() {}

  static boolean isSuspect(Lease lease, Time time) {
    // In this order: if we are stopped in between, we doubt too little rather than a good lease.
    Duration byTheClock = Duration.between(time.now(), lease.expiresAt());
    Duration counted = lease.remaining();
    Duration ahead = counted.minus(byTheClock);
    return counted.isZero()
        || ahead.compareTo(NOISE) > 0
        || ahead.negated().compareTo(LONGEST_REQUEST.plus(NOISE)) > 0;
  }
}
