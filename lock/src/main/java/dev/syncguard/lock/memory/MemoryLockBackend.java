package dev.syncguard.lock.memory;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Locks between the threads of one JVM, for tests and for programs that will get a real store later.
 *
 * <p>It keeps every promise that a backend makes except durability. Thread-safe.
 */
public final class MemoryLockBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities("memory", true, Capabilities.TimeAuthority.SERVER);

  private final Time time;
  private final Map<LockKey, Row> rows = new HashMap<>();
  private final Map<LockId, LockKey> keys = new HashMap<>();
  private final Map<LockKey, Long> fences = new HashMap<>();
  private final MemoryLine line;

  private record Row(
      LockKey key,
      LockId id,
      Fence fence,
      long acquiredAtMs,
      long expiresAtMs,
      Optional<LockNote> note) {}

  /** Creates an empty backend on the clock of this machine. */
  public MemoryLockBackend() {
    this(Time.system());
  }

  /** Creates an empty backend on the given clock. */
  public MemoryLockBackend(Time time) {
    this.time = time;
    this.line = new MemoryLine(this, time);
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return acquire(key, id, ttl, Optional.empty(), cancellation);
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return acquire(key, id, ttl, Optional.of(note), cancellation);
  }

  synchronized AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    long now = nowMs();
    Row row = rows.get(key);
    if (row != null && Liveness.isLive(row.expiresAtMs, now)) {
      return row.id.equals(id) ? acquired(row, now) : new AcquireResult.Contended();
    }
    if (line.isReservedForAnother(key, id)) {
      return new AcquireResult.Contended();
    }
    return acquired(grant(key, id, ttl, note, now), now);
  }

  private Row grant(LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, long now) {
    Fence fence = FenceWarning.check(new Fence(fences.getOrDefault(key, 0L) + 1), key);
    remove(key);
    Row row = new Row(key, id, fence, now, now + ttl.millis(), note);
    fences.put(key, fence.value());
    rows.put(key, row);
    keys.put(id, key);
    return row;
  }

  private static AcquireResult acquired(Row row, long now) {
    return AcquireResult.Acquired.at(now, row.fence, row.expiresAtMs);
  }

  @Override
  public synchronized ReleaseResult release(LockId id, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    LockKey key = keys.get(id);
    Row row = liveRow(key, nowMs());
    if (row == null) {
      return new ReleaseResult.Absent(absence(key));
    }
    remove(row.key);
    line.released(row.key);
    return new ReleaseResult.Released();
  }

  @Override
  public synchronized ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    long now = nowMs();
    LockKey key = keys.get(id);
    Row row = liveRow(key, now);
    if (row == null) {
      return new ExtendResult.Absent(absence(key));
    }
    long expiresAtMs = now + ttl.millis();
    rows.put(row.key, new Row(row.key, id, row.fence, row.acquiredAtMs, expiresAtMs, row.note));
    return new ExtendResult.Extended(Instant.ofEpochMilli(expiresAtMs));
  }

  /** The memory line's one-step release and grant. */
  synchronized AcquireResult takeOver(
      LockKey key, LockId from, LockId to, Ttl ttl, Optional<LockNote> note) {
    long now = nowMs();
    Row row = liveRow(key, now);
    if (row == null) {
      return new AcquireResult.Contended();
    }
    if (row.id.equals(to)) {
      return acquired(row, now);
    }
    return row.id.equals(from)
        ? acquired(grant(key, to, ttl, note, now), now)
        : new AcquireResult.Contended();
  }

  @Override
  public synchronized boolean isLocked(LockKey key, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return liveRow(key, nowMs()) != null;
  }

  @Override
  public synchronized Optional<LockInfoDebug> lookupRaw(
      LockQuery query, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    long now = nowMs();
    LockKey key = query instanceof LockQuery.ByKey byKey
        ? byKey.key()
        : keys.get(((LockQuery.ById) query).id());
    Row row = liveRow(key, now);
    return row == null ? Optional.empty() : Optional.of(describe(row, now));
  }

  private synchronized List<LockInfoDebug> live(int limit, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    long now = nowMs();
    return rows.values().stream()
        .filter(row -> Liveness.isLive(row.expiresAtMs, now))
        .map(row -> describe(row, now))
        .sorted(Comparator.comparing(LockInfoDebug::expiresAt))
        .limit(limit)
        .toList();
  }

  private LockInfoDebug describe(Row row, long now) {
    return new LockInfoDebug(
        row.key,
        row.id,
        row.fence,
        Instant.ofEpochMilli(row.acquiredAtMs),
        Instant.ofEpochMilli(row.expiresAtMs),
        Instant.ofEpochMilli(now),
        row.note,
        OptionalInt.of(line.size(row.key)));
  }

  private @Nullable Row liveRow(@Nullable LockKey key, long now) {
    Row row = key == null ? null : rows.get(key);
    return row != null && Liveness.isLive(row.expiresAtMs, now) ? row : null;
  }

  private static Absence absence(@Nullable LockKey key) {
    return key == null ? Absence.NOT_FOUND : Absence.EXPIRED;
  }

  private void remove(LockKey key) {
    Row row = rows.remove(key);
    if (row != null) {
      keys.remove(row.id);
    }
  }

  /** Reads the clock: once per operation, because a second look could judge the same lease differently. */
  private long nowMs() {
    return time.now().toEpochMilli();
  }

  /**
   * Pretends that so many fences of a key were already handed out.
   *
   * <p>For tests of what happens when they run out.
   */
  public synchronized void presetFence(LockKey key, long handedOut) {
    fences.put(key, handedOut);
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return Optional.of(line);
  }

  @Override
  public Optional<LockListing> listing() {
    return Optional.of(this::live);
  }

  @Override
  public void close() {}
}
