package dev.syncguard.lock;

import java.time.Duration;
import java.time.Instant;

/**
 * What may be shown about a live lock: hashes, times and the fence, but neither key nor lock id.
 *
 * @param keyHash the fingerprint of the key
 * @param lockIdHash the fingerprint of the lock id
 * @param fence the fence of the holder
 * @param acquiredAt when the holder got the lock, on the clock that the backend trusts
 * @param expiresAt when the lock ends unless it is extended, on the same clock
 * @param observedAt what that clock said when this was read
 */
public record LockInfo(
    LockHash keyHash,
    LockHash lockIdHash,
    Fence fence,
    Instant acquiredAt,
    Instant expiresAt,
    Instant observedAt) {

  /** Returns the time that was left when this was read; zero within the tolerance after the end. */
  public Duration remaining() {
    Duration left = Duration.between(observedAt, expiresAt);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
