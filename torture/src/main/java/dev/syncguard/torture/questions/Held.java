package dev.syncguard.torture.questions;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Liveness;

/**
 * A lease that a question was granted.
 *
 * @param key its key
 * @param id its id
 * @param ttl how long it was to last
 * @param grant what the store answered
 * @param sent when it was asked for, in monotonic nanoseconds
 * @param at when it was granted
 */
record Held(LockKey key, LockId id, Ttl ttl, AcquireResult.Acquired grant, long sent, long at) {

  private static final long TOLERANCE = Liveness.TIME_TOLERANCE_MS * 1_000_000;
  private static final long MARGIN = 50_000_000;

  long fence() {
    return grant.fence().value();
  }

  /** Returns when its ttl has passed at the earliest. */
  long ttlPassed() {
    return sent + ttl.duration().toNanos();
  }

  /** Returns until when an answer proves that the lease must have been live when it was given. */
  long certainlyLiveUntil() {
    return ttlPassed() + TOLERANCE - MARGIN;
  }

  /** Returns from when on a question proves that the lease cannot be live any more. */
  long certainlyOverFrom() {
    return at + ttl.duration().toNanos() + TOLERANCE + MARGIN;
  }
}
