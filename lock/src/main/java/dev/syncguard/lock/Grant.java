package dev.syncguard.lock;

import dev.syncguard.lock.spi.AcquireResult;
import java.time.Instant;

/**
 * A key that the store gave us.
 *
 * @param sentAtNanos a monotonic reading from before the first request that can have caused the grant, so that what we
 *     count from it ends no later than what the store counts
 */
record Grant(LockKey key, LockId id, Ttl ttl, Fence fence, Instant expiresAt, long sentAtNanos) {

  static Grant of(
      LockKey key, LockId id, Ttl ttl, AcquireResult.Acquired acquired, long sentAtNanos) {
    return new Grant(key, id, ttl, acquired.fence(), acquired.expiresAt(), sentAtNanos);
  }

  long validUntilNanos() {
    return sentAtNanos + ttl.duration().toNanos();
  }

  /** Returns whether the answer took so long that the lease may already be over. */
  boolean cameTooLate(long nowNanos) {
    return nowNanos - validUntilNanos() >= 0;
  }
}
