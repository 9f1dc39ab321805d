package dev.syncguard.torture.history;

import java.time.Duration;

/**
 * What the judge has to know about the locks of a history.
 *
 * @param ttl how long a lease lasts that nobody renews
 * @param wakeUp how long a waiter may take to get a key after its release
 * @param stuck how long a key may stay locked after the last lease on it has ended
 * @param wakes whether the store wakes waiters, so that most get their key at once
 */
public record Bounds(Duration ttl, Duration wakeUp, Duration stuck, boolean wakes) {

  /** How much longer than its ttl a lease may count as live. */
  static final Duration TOLERANCE = Duration.ofSeconds(1);

  /** A waiter that asks once in a second has not been woken if it takes longer than this. */
  static final Duration WOKEN = Duration.ofMillis(500);

  /** So many hand-offs are needed to say that waiters are not woken. */
  static final int ENOUGH_HAND_OVERS = 10;

  /** Returns when a lease is over for certain that was renewed at this time for the last time. */
  long endAfter(long at) {
    return at + ttl.plus(TOLERANCE).toNanos();
  }
}
