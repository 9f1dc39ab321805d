package dev.syncguard.lock.testkit.history;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import java.time.Instant;

/** Something that a store confirmed to one of its callers. Refusals prove nothing and are not kept. */
public sealed interface Confirmed {

  /** Returns the lock id that the operation was about. */
  LockId id();

  /** Returns when the operation began and ended. */
  Span span();

  /** The key was given to this id. */
  record Granted(LockKey key, LockId id, Fence fence, Ttl ttl, Instant expiresAt, Span span)
      implements Confirmed {

    /** Returns when the store granted it, on the store's clock. */
    Instant at() {
      return expiresAt.minus(ttl.duration());
    }
  }

  /** The lease was live and got a new end. */
  record Extended(LockId id, Ttl ttl, Instant expiresAt, Span span) implements Confirmed {

    /** Returns when the store extended it, on the store's clock. */
    Instant at() {
      return expiresAt.minus(ttl.duration());
    }
  }

  /** The lease was live and was ended. */
  record Released(LockId id, Span span) implements Confirmed {}
}
