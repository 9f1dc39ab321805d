package dev.syncguard.lock.spi;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import java.util.Optional;

/**
 * Locks on one store. Each operation makes a single attempt and never waits for somebody else's lock.
 *
 * <p>An answer is a result; a {@link dev.syncguard.lock.LockException} means that there was none. Every operation is
 * atomic at the store, judges liveness by {@link Liveness}, and looks at the cancellation before it sends anything. One
 * that is cancelled while the store is silent ends at once, with {@code Aborted}; what it asked for may happen all the same.
 * Thread-safe. {@code lock-testkit} holds these promises as tests.
 */
public interface LockBackend extends AutoCloseable {

  /**
   * Tries once to take the key under the given id.
   *
   * <p>If the store already holds a live lock with this very id, an earlier attempt succeeded and its reply was lost:
   * the answer is that grant again, with its fence and its expiry. So a caller may repeat an attempt whose outcome it
   * does not know.
   */
  AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation);

  /**
   * As {@link #acquire(LockKey, LockId, Ttl, Cancellation)}, and stores a note beside the lock for as long as this lease
   * lasts, in the same step.
   *
   * <p>The note decides nothing: who asks again with the same id gets the same grant, whatever note it brings. A backend
   * that keeps no notes leaves it out.
   */
  default AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return acquire(key, id, ttl, cancellation);
  }

  /** Ends the lease if it is still live. Safe to repeat: at most one call succeeds, and no other lease is touched. */
  ReleaseResult release(LockId id, Cancellation cancellation);

  /**
   * As {@link #release(LockId, Cancellation)}, for somebody who knows the key as well, which spares some stores a search.
   *
   * <p>A lease on another key is not touched, or ended as if no key had been given; nobody should rely on either.
   */
  default ReleaseResult release(LockKey key, LockId id, Cancellation cancellation) {
    return release(id, cancellation);
  }

  /** Lets a lease that is still live end {@code ttl} from now. Never revives one that has ended. */
  ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation);

  /** Returns whether anybody holds the key. */
  boolean isLocked(LockKey key, Cancellation cancellation);

  /**
   * Returns the live lock that a query finds, with its raw key and lock id. Changes nothing.
   *
   * <p>For people who debug; everybody else uses {@link #lookup}.
   */
  Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation);

  /** Returns what may be shown of the live lock that a query finds. Changes nothing. */
  default Optional<LockInfo> lookup(LockQuery query, Cancellation cancellation) {
    return lookupRaw(query, cancellation).map(LockInfoDebug::sanitized);
  }

  /**
   * Ends the lease of whoever holds the key, and returns it; empty if nobody does.
   *
   * <p>What is ended is the lease that was seen, by its id. If it is gone by then, the answer is empty, too: nobody who came
   * after is touched.
   */
  default Optional<LockInfoDebug> forceRelease(LockKey key, Cancellation cancellation) {
    return lookupRaw(new LockQuery.ByKey(key), cancellation)
        .filter(
            seen -> release(key, seen.lockId(), cancellation) instanceof ReleaseResult.Released);
  }

  /** Returns what this backend can do. */
  Capabilities capabilities();

  /** Returns the line in which waiters stand, if this backend wakes them; without one they poll. */
  default Optional<WaitingLine> waitingLine() {
    return Optional.empty();
  }

  /** Returns the list of live locks, if this backend can tell. */
  default Optional<LockListing> listing() {
    return Optional.empty();
  }

  /** Returns an examination of the store, if this backend knows how to make one. */
  default Optional<StoreCheck> storeCheck() {
    return Optional.empty();
  }

  /**
   * Frees what the backend itself opened. Leases stay as they are and end by themselves. Whatever is asked later is refused with
   * a {@link BackendClosedException}, if there was anything to close.
   */
  @Override
  void close();
}
