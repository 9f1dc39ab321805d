package dev.syncguard.lock;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

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
 * @param note what the holder says about itself, if it says something and the store keeps it
 * @param waiting how many stand in line for the key at the store, if the store knows
 */
public record LockInfoDebug(
    LockKey key,
    LockId lockId,
    Fence fence,
    Instant acquiredAt,
    Instant expiresAt,
    Instant observedAt,
    Optional<LockNote> note,
    OptionalInt waiting) {

  /** Describes a lock of a store that keeps no notes and does not know who waits. */
  public LockInfoDebug(
      LockKey key,
      LockId lockId,
      Fence fence,
      Instant acquiredAt,
      Instant expiresAt,
      Instant observedAt) {
    this(
        key,
        lockId,
        fence,
        acquiredAt,
        expiresAt,
        observedAt,
        Optional.empty(),
        OptionalInt.empty());
  }

  /** Returns what may be shown of it. */
  public LockInfo sanitized() {
    return new LockInfo(
        key.hash(), lockId.hash(), fence, acquiredAt, expiresAt, observedAt, note, waiting);
  }
}
