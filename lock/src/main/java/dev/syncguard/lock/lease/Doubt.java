package dev.syncguard.lock.lease;

import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Liveness;
import java.time.Duration;

/**
 * What may be at the store under an id, or may yet arrive there, beyond what it answered.
 *
 * <p>A request without an answer may have been granted, and the network may deliver it long after its sender gave it up.
 * Thread-safe. Times are readings of the monotonic clock.
 */
final class Doubt {

  /** How long after it was sent a request may still reach the store. */
  static final Duration LATEST_ARRIVAL = Duration.ofSeconds(10);

  private static final long TOLERANCE_NANOS =
      Duration.ofMillis(Liveness.TIME_TOLERANCE_MS).toNanos();

  private boolean exists;
  private long lastNanos;
  private long longestTtlNanos;

  Doubt(Ttl first) {
    longestTtlNanos = first.duration().toNanos();
  }

  /** Notes that a request got no answer by now. */
  synchronized void unanswered(long nowNanos) {
    exists = true;
    lastNanos = nowNanos;
  }

  /** Notes that a lease of this length is asked for. */
  synchronized void asking(Ttl ttl) {
    longestTtlNanos = Math.max(longestTtlNanos, ttl.duration().toNanos());
  }

  synchronized boolean exists() {
    return exists;
  }

  /** Returns the reading from which on no request can arrive any more. */
  synchronized long mayArriveUntil(long nowNanos) {
    return exists ? lastNanos + LATEST_ARRIVAL.toNanos() : nowNanos;
  }

  /** Returns the reading from which on the store has ended the lease by itself, whatever arrives from now on. */
  synchronized long endsByItselfAt(long nowNanos) {
    return nowNanos + LATEST_ARRIVAL.toNanos() + longestTtlNanos + TOLERANCE_NANOS;
  }
}
