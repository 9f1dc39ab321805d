package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Time;
import java.time.Duration;

/**
 * One operation of a caller, which may take several requests: whether it is still wanted, and when it must be over.
 *
 * @param cancellation the caller's
 * @param deadlineNanos on the monotonic clock
 */
record Operation(Cancellation cancellation, long deadlineNanos) {

  static Operation begin(Cancellation cancellation, Time time, Duration timeout) {
    return new Operation(cancellation, time.nanos() + timeout.toNanos());
  }

  /** Returns how many nanoseconds are left, at least 0. */
  long leftNanos(Time time) {
    return Math.max(0, deadlineNanos - time.nanos());
  }
}
