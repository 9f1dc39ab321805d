package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What can be asked about locks that are at the store, and done to them by somebody who has no {@link Lease}: look-ups, a
 * release or an extension by lock id, and taking a key from its holder. Part of {@link Locks}. Thread-safe.
 */
public abstract sealed class StoredLocks permits Locks {

  final LeaseServices services;

  StoredLocks(LeaseServices services) {
    this.services = services;
  }

  /** Throws if nothing may be asked any more. */
  abstract void requireOpen();

  /** Returns whether anybody holds the key. To decide what to do next, take the lock instead. */
  public boolean isLocked(String key) {
    return isLocked(key, Cancellation.none());
  }

  /** As {@link #isLocked(String)}, but gives up when cancelled. */
  public boolean isLocked(String key, Cancellation cancellation) {
    LockKey valid = LockKey.of(key);
    requireOpen();
    return services.backend().isLocked(valid, cancellation);
  }

  /** Returns who holds the key, without its secrets. */
  public Optional<LockInfo> getByKey(String key) {
    return getByKey(key, Cancellation.none());
  }

  /** As {@link #getByKey(String)}, but gives up when cancelled. */
  public Optional<LockInfo> getByKey(String key, Cancellation cancellation) {
    return lookup(new LockQuery.ByKey(LockKey.of(key)), cancellation);
  }

  /** Returns the live lease with this id, without its secrets. */
  public Optional<LockInfo> getById(String lockId) {
    return getById(lockId, Cancellation.none());
  }

  /** As {@link #getById(String)}, but gives up when cancelled. */
  public Optional<LockInfo> getById(String lockId, Cancellation cancellation) {
    return lookup(new LockQuery.ById(LockId.parse(lockId)), cancellation);
  }

  /** Returns who holds the key, with key and lock id. For debugging: treat the answer as a secret. */
  public Optional<LockInfoDebug> getByKeyRaw(String key) {
    return getByKeyRaw(key, Cancellation.none());
  }

  /** As {@link #getByKeyRaw(String)}, but gives up when cancelled. */
  public Optional<LockInfoDebug> getByKeyRaw(String key, Cancellation cancellation) {
    return lookupRaw(new LockQuery.ByKey(LockKey.of(key)), cancellation);
  }

  /** Returns the live lease with this id, with key and lock id. For debugging: treat the answer as a secret. */
  public Optional<LockInfoDebug> getByIdRaw(String lockId) {
    return getByIdRaw(lockId, Cancellation.none());
  }

  /** As {@link #getByIdRaw(String)}, but gives up when cancelled. */
  public Optional<LockInfoDebug> getByIdRaw(String lockId, Cancellation cancellation) {
    return lookupRaw(new LockQuery.ById(LockId.parse(lockId)), cancellation);
  }

  /**
   * Returns whether the lease with this id is live. For screens and logs only: by the time you act on it, it may have
   * changed. Extending and releasing check ownership themselves.
   */
  public boolean owns(String lockId) {
    return owns(lockId, Cancellation.none());
  }

  /** As {@link #owns(String)}, but gives up when cancelled. */
  public boolean owns(String lockId, Cancellation cancellation) {
    return getById(lockId, cancellation).isPresent();
  }

  /** Ends a lease that was taken elsewhere, by the id that its holder passed on. Safe to repeat. */
  public ReleaseResult release(String lockId) {
    return release(lockId, Cancellation.none());
  }

  /**
   * As {@link #release(String)}, but gives up when cancelled.
   *
   * <p>What is cancelled before it begins changes nothing. A lease of these locks is lost for its holder before the store is
   * told; one of another process learns it from its next extension. An exception means that the store may not know yet: for
   * a lease of these locks it is asked again in the background, for others repeat the call.
   */
  public ReleaseResult release(String lockId, Cancellation cancellation) {
    LockId id = LockId.parse(lockId);
    requireOpen();
    return about(id, () -> {
      // Not left to the lease: one that is asked to end has ended here, whoever waits for the
      // store.
      cancellation.throwIfCancelled();
      Optional<Lease> ours = services.registry().find(id);
      if (ours.isEmpty()) {
        return services.backend().release(id, cancellation);
      }
      return ours.get().revoke(cancellation)
          ? new ReleaseResult.Released()
          : new ReleaseResult.Absent(Absence.UNKNOWN);
    });
  }

  /** Lets a lease that was taken elsewhere end {@code ttl} from now, by the id that its holder passed on. */
  public ExtendResult extend(String lockId, Duration ttl) {
    return extend(lockId, ttl, Cancellation.none());
  }

  /**
   * As {@link #extend(String, Duration)}, but gives up when cancelled.
   *
   * <p>A lease of these locks knows at once. One of another process does not, and goes on counting to the end that it knows:
   * do not give it less time than it has.
   */
  public ExtendResult extend(String lockId, Duration ttl, Cancellation cancellation) {
    LockId id = LockId.parse(lockId);
    Ttl valid = Ttl.of(ttl);
    requireOpen();
    Optional<Lease> ours = services.registry().find(id);
    if (ours.isPresent()) {
      return ours.get().extend(ttl, cancellation)
          ? new ExtendResult.Extended(ours.get().expiresAt())
          : new ExtendResult.Absent(Absence.UNKNOWN);
    }
    return about(id, () -> services.backend().extend(id, valid, cancellation));
  }

  /** As {@link #forceRelease(String, Cancellation)}, without giving up. */
  public Optional<LockInfo> forceRelease(String key) {
    return forceRelease(key, Cancellation.none());
  }

  /**
   * Takes the key from whoever holds it, and returns whose lease that was; for operators, when the holder hangs.
   *
   * <p>Only the lease that was seen is ended: if its holder is gone before we get to it, whoever came after keeps the key
   * and the answer is empty, as it is for a free key. The holder is not asked. It learns from its next extension that it has
   * lost the key; until then only the check of its fence keeps it from doing harm.
   */
  public Optional<LockInfo> forceRelease(String key, Cancellation cancellation) {
    LockKey valid = LockKey.of(key);
    requireOpen();
    Optional<LockInfoDebug> ended = services.backend().forceRelease(valid, cancellation);
    ended.flatMap(lock -> services.registry().find(lock.lockId())).ifPresent(Lease::isGone);
    return ended.map(LockInfoDebug::sanitized);
  }

  private Optional<LockInfo> lookup(LockQuery query, Cancellation cancellation) {
    requireOpen();
    return services.backend().lookup(query, cancellation);
  }

  private Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    requireOpen();
    return services.backend().lookupRaw(query, cancellation);
  }

  private static <T> T about(LockId id, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw LockErrors.of(e).about(id);
    }
  }
}
