package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.CleanupPace;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A backend that keeps every promise, also the optional ones, in the plainest way.
 *
 * <p>Each decision is a method of its own, so that {@link Wrong} can get exactly one of them wrong.
 */
class PlainBackend implements LockBackend {

  final PlainStore store;
  private boolean closed;
  private @Nullable CleanupPace cleanup;
  private Executor cleaner = Runnable::run;
  private boolean cleaningIsUnderWay;

  PlainBackend(PlainStore store) {
    this.store = store;
  }

  PlainBackend cleaning(CleanupPace pace, Executor executor) {
    cleanup = pace;
    cleaner = executor;
    return this;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      Row row = live(key);
      if (row != null) {
        return row.id().equals(id) ? repeated(row, ttl) : contended(row, id, ttl);
      }
      if (isReservedForAnother(key, id)) {
        return new AcquireResult.Contended();
      }
      return grant(key, id, ttl);
    }
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    synchronized (store) {
      return noted(acquire(key, id, ttl, cancellation), id, note);
    }
  }

  AcquireResult noted(AcquireResult result, LockId id, LockNote note) {
    if (result instanceof AcquireResult.Acquired) {
      keep(id, note);
    }
    return result;
  }

  void keep(LockId id, LockNote note) {
    store.notes.putIfAbsent(id, note);
  }

  Optional<LockNote> noteOf(Row row) {
    return Optional.ofNullable(store.notes.get(row.id()));
  }

  OptionalInt waiting(LockKey key) {
    return OptionalInt.of(store.waiting(key).size());
  }

  boolean isReservedForAnother(LockKey key, LockId id) {
    store.waiting(key).removeIf(this::isDead);
    PlainLine.PlainPlace first = store.waiting(key).peekFirst();
    return first != null && !first.id.equals(id);
  }

  /** Returns whether a waiter has missed so many chances to try that it will not come back. */
  boolean isDead(PlainLine.PlainPlace place) {
    return store.now() - place.lastSeenMs > 3 * PlainLine.PATIENCE.toMillis();
  }

  /** Begins an operation, whose time is read here and only here. */
  Absence absence(LockId id) {
    return store.rows.values().stream().anyMatch(row -> row.id().equals(id))
        ? Absence.EXPIRED
        : Absence.NOT_FOUND;
  }

  LockException refusalOfAClosedBackend() {
    return new BackendClosedException();
  }

  void admit(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    if (closed) {
      throw refusalOfAClosedBackend();
    }
    store.readClock();
    if (store.broken) {
      throw unreachable();
    }
  }

  LockException unreachable() {
    return new LockException(LockException.Code.SERVICE_UNAVAILABLE, "The store is out of order");
  }

  AcquireResult repeated(Row row, Ttl ttl) {
    return acquired(row);
  }

  AcquireResult contended(Row row, LockId id, Ttl ttl) {
    return new AcquireResult.Contended();
  }

  AcquireResult grant(LockKey key, LockId id, Ttl ttl) {
    Fence fence = warn(nextFence(key), key);
    store.remove(key);
    Row row = new Row(key, id, fence, store.now(), store.now() + ttl.millis());
    store.fences.put(key, fence.value());
    store.put(row);
    return acquired(row);
  }

  Fence nextFence(LockKey key) {
    return new Fence(store.fences.getOrDefault(key, 0L) + 1);
  }

  Fence warn(Fence fence, LockKey key) {
    return FenceWarning.check(fence, key);
  }

  AcquireResult acquired(Row row) {
    return AcquireResult.Acquired.at(store.now(), row.fence(), row.expiresAtMs());
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      Row row = releasable(id);
      if (row == null) {
        return new ReleaseResult.Absent(absence(id));
      }
      store.remove(row.key());
      wakeFirst(row.key());
      return new ReleaseResult.Released();
    }
  }

  void wakeFirst(LockKey key) {
    store.waiting(key).stream().findFirst().ifPresent(first -> first.wakeUp.run());
  }

  void leave(PlainLine.PlainPlace place) {
    if (store.waiting(place.key).remove(place)) {
      wakeFirst(place.key);
    }
  }

  @Nullable
  Row releasable(LockId id) {
    return owned(id);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      Row row = extendable(id);
      if (row == null) {
        return new ExtendResult.Absent(absence(id));
      }
      Row extended = row.endingAt(newEnd(row, ttl));
      store.put(extended);
      return new ExtendResult.Extended(Instant.ofEpochMilli(extended.expiresAtMs()));
    }
  }

  @Nullable
  Row extendable(LockId id) {
    return owned(id);
  }

  long newEnd(Row row, Ttl ttl) {
    return store.now() + ttl.millis();
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      boolean locked = live(key) != null;
      Row row = store.rows.get(key);
      if (!locked && row != null && isCleanable(row) && isCleanupDue()) {
        cleanLater(key);
      }
      return locked;
    }
  }

  void cleanLater(LockKey key) {
    if (!cleaningIsUnderWay) {
      cleaningIsUnderWay = true;
      cleaner.execute(() -> {
        synchronized (store) {
          if (!closed) {
            clean(key);
          }
          cleaningIsUnderWay = false;
        }
      });
    }
  }

  boolean isCleanupDue() {
    return cleanup != null && cleanup.isDue();
  }

  boolean isCleanable(Row row) {
    return Liveness.isCleanable(row.expiresAtMs(), store.now());
  }

  void clean(LockKey key) {
    store.remove(key);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      Row row = query instanceof LockQuery.ByKey byKey
          ? live(byKey.key())
          : owned(((LockQuery.ById) query).id());
      return Optional.ofNullable(row).map(this::describe);
    }
  }

  LockInfoDebug describe(Row row) {
    LockInfoDebug bare = row.describe(store.now());
    return new LockInfoDebug(
        bare.key(),
        bare.lockId(),
        bare.fence(),
        bare.acquiredAt(),
        bare.expiresAt(),
        bare.observedAt(),
        noteOf(row),
        waiting(row.key()));
  }

  /** Returns the live lease with this id. */
  @Nullable
  Row owned(LockId id) {
    LockKey key = store.index.get(id);
    Row row = key == null ? null : live(key);
    return row != null && row.id().equals(id) ? row : null;
  }

  @Nullable
  Row live(LockKey key) {
    Row row = store.rows.get(key);
    return row != null && isLive(row.expiresAtMs(), store.now()) ? row : null;
  }

  boolean isLive(long expiresAtMs, long nowMs) {
    return Liveness.isLive(expiresAtMs, nowMs);
  }

  AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
    admit(Cancellation.none());
    Row row = live(key);
    if (row != null && row.id().equals(to)) {
      return repeated(row, ttl);
    }
    return row != null && row.id().equals(from)
        ? grant(key, to, ttl)
        : new AcquireResult.Contended();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities("plain", true, Capabilities.TimeAuthority.SERVER);
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return Optional.of(new PlainLine(this));
  }

  @Override
  public Optional<LockListing> listing() {
    return Optional.of(this::list);
  }

  List<LockInfoDebug> list(int limit, Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      return store.rows.values().stream()
          .filter(row -> isLive(row.expiresAtMs(), store.now()))
          .sorted(Comparator.comparingLong(Row::expiresAtMs))
          .limit(limit)
          .map(this::describe)
          .toList();
    }
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return Optional.of(this::examine);
  }

  List<StoreCheck.Finding> examine(Cancellation cancellation) {
    synchronized (store) {
      admit(cancellation);
      boolean wornOut = store.fences.values().stream().anyMatch(fence -> fence > Fence.WARN);
      return List.of(new StoreCheck.Finding(
          wornOut ? StoreCheck.Severity.WARNING : StoreCheck.Severity.GOOD,
          "fences",
          wornOut ? "Some fences are running out" : "All fences are far from their limit"));
    }
  }

  /** Called when the store crashes: does to it what the crash does. */
  void crash() {}

  @Override
  public void close() {
    closed = true;
  }

  /** What ends a request that is under way. */
  Cancellation heard(Cancellation cancellation) {
    return cancellation;
  }

  /** What becomes of an acquisition without an answer. */
  AcquireResult acquireFailed(LockException failure) {
    throw failure;
  }

  /** What becomes of a release without an answer. */
  ReleaseResult releaseFailed(LockException failure) {
    throw failure;
  }

  /** What becomes of an extension without an answer. */
  ExtendResult extendFailed(LockException failure) {
    throw failure;
  }
}
