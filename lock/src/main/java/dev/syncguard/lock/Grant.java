package dev.syncguard.lock;

import dev.syncguard.lock.spi.AcquireResult;
import java.time.Instant;

/**
 * A key that the store gave us.
 *
 * @param sentAtNanos a monotonic reading from which the ttl can be counted, so that what we count ends no later than what
 *     the store counts
 */
record Grant(LockKey key, LockId id, Ttl ttl, Fence fence, Instant expiresAt, long sentAtNanos) {

  /**
   * Returns the grant in an answer.
   *
   * @param firstSentNanos a reading from before the first request that can have caused the grant, as far as we know
   * @param lastSentNanos a reading from before the request that was answered. If its answer speaks of a lease that has
   *     begun before, a copy of an earlier request has come late, and we count from then.
   */
  static Grant of(
      LockKey key,
      LockId id,
      Ttl ttl,
      AcquireResult.Acquired acquired,
      long firstSentNanos,
      long lastSentNanos) {
    long begun = lastSentNanos - ttl.duration().minus(acquired.remaining()).toNanos();
    long earlier = begun - firstSentNanos < 0 ? begun : firstSentNanos;
    return new Grant(key, id, ttl, acquired.fence(), acquired.expiresAt(), earlier);
  }

  long validUntilNanos() {
    return sentAtNanos + ttl.duration().toNanos();
  }

  /** Returns whether the answer took so long that the lease may already be over. */
  boolean cameTooLate(long nowNanos) {
    return nowNanos - validUntilNanos() >= 0;
  }
}
