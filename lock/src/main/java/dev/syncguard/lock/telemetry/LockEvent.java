package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import java.time.Duration;
import java.util.Optional;

/**
 * One operation of a backend, as telemetry tells it.
 *
 * @param type which operation it was
 * @param outcome how it ended
 * @param reason why the answer was no, where the specification has a word for it
 * @param error the code of the exception, if there was no answer
 * @param keyHash the fingerprint of the key, if the operation had one
 * @param lockIdHash the fingerprint of the lock id, if the operation had one
 * @param duration how long the operation took
 * @param key the raw key, only if asked for; its {@code toString} still shows the hash
 * @param lockId the raw lock id, only if asked for
 */
public record LockEvent(
    Type type,
    Outcome outcome,
    Optional<Reason> reason,
    Optional<LockException.Code> error,
    Optional<LockHash> keyHash,
    Optional<LockHash> lockIdHash,
    Duration duration,
    Optional<LockKey> key,
    Optional<LockId> lockId) {

  /** The operations. */
  public enum Type {
    /** A key was asked for. */
    ACQUIRE,
    /** A holder gave its lock back. */
    RELEASE,
    /** A release by somebody who is not the holder. */
    FORCE_RELEASE,
    /** A holder asked for more time. */
    EXTEND,
    /** Somebody asked whether a key is held. */
    IS_LOCKED,
    /** Somebody asked who holds a key, or what a lock id holds. */
    LOOKUP
  }

  /** Whether the answer was yes. */
  public enum Outcome {
    /** Done, locked, or found. */
    OK,
    /** Refused, absent, free, not found, or no answer at all (then {@link #error()} says why). */
    FAIL
  }

  /** Why the answer was no. */
  public enum Reason {
    /** Another holder has the key. */
    LOCKED,
    /** The lock had been granted, but its time was over. */
    EXPIRED,
    /** The store does not know the lock: it was released, replaced, or never granted. */
    NOT_FOUND
  }

  LockEvent withRaw(Optional<LockKey> rawKey, Optional<LockId> rawLockId) {
    return new LockEvent(
        type, outcome, reason, error, keyHash, lockIdHash, duration, rawKey, rawLockId);
  }
}
