package dev.syncguard.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What may be shown about a live lock: hashes, times, the fence and the note, but neither key nor lock id.
 *
 * @param keyHash the fingerprint of the key
 * @param lockIdHash the fingerprint of the lock id
 * @param fence the fence of the holder
 * @param acquiredAt when the holder got the lock, on the clock that the backend trusts
 * @param expiresAt when the lock ends unless it is extended, on the same clock
 * @param observedAt what that clock said when this was read
 * @param note what the holder says about itself, if it says something and the store keeps it
 * @param waiting how many stand in line for the key at the store, if the store knows: one for each process that waits,
 *     however many threads wait in it
 */
public record LockInfo(
    LockHash keyHash,
    LockHash lockIdHash,
    Fence fence,
    Instant acquiredAt,
    Instant expiresAt,
    Instant observedAt,
    Optional<LockNote> note,
    OptionalInt waiting) {

  /** Returns the time that was left when this was read; zero within the tolerance after the end. */
  public Duration remaining() {
    Duration left = Duration.between(observedAt, expiresAt);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
