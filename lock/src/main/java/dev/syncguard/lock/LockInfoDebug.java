package dev.syncguard.lock;

import java.time.Instant;

/**
 * A live lock with its raw key and lock id, for debugging. Treat it as a secret.
 *
 * <p>Even so {@link #toString()} shows hashes: {@link LockKey} and {@link LockId} keep their values to themselves.
 *
 * @param key the key
 * @param lockId the id with which the lock can be released
 * @param fence the fence of the holder
 * @param acquiredAt when the holder got the lock, on the clock that the backend trusts
 * @param expiresAt when the lock ends unless it is extended, on the same clock
 * @param observedAt what that clock said when this was read
 */
public record LockInfoDebug(
    LockKey key,
    LockId lockId,
    Fence fence,
    Instant acquiredAt,
    Instant expiresAt,
    Instant observedAt) {

  /** Returns what may be shown of it. */
  public LockInfo sanitized() {
    return new LockInfo(key.hash(), lockId.hash(), fence, acquiredAt, expiresAt, observedAt);
  }
}
