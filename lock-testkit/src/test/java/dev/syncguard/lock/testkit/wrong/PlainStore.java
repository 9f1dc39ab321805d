package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.ManualTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** What a plain backend keeps. Guarded by its own monitor. */
final class PlainStore {

  final ManualTime time = ManualTime.stopped();
  private final Time clock;
  final Map<LockKey, Row> rows = new HashMap<>();
  final Map<LockId, LockKey> index = new HashMap<>();
  final Map<LockId, LockNote> notes = new HashMap<>();
  final Map<LockKey, Long> fences = new HashMap<>();
  final Map<LockKey, Deque<PlainLine.PlainPlace>> line = new HashMap<>();
  boolean broken;
  private long nowMs;

  /** A store whose time a test moves. */
  PlainStore() {
    clock = time;
  }

  /** A store with a clock of its own. */
  PlainStore(Time clock) {
    this.clock = clock;
  }

  record Row(LockKey key, LockId id, Fence fence, long acquiredAtMs, long expiresAtMs) {

    Row endingAt(long expiresAt) {
      return new Row(key, id, fence, acquiredAtMs, expiresAt);
    }

    LockInfoDebug describe(long nowMs) {
      return new LockInfoDebug(
          key,
          id,
          fence,
          Instant.ofEpochMilli(acquiredAtMs),
          Instant.ofEpochMilli(expiresAtMs),
          Instant.ofEpochMilli(nowMs));
    }
  }

  void readClock() {
    nowMs = clock.now().toEpochMilli();
  }

  /** Returns the time of the operation that is under way: a second look at the clock could judge it differently. */
  long now() {
    return nowMs;
  }

  void put(Row row) {
    rows.put(row.key(), row);
    index.put(row.id(), row.key());
  }

  void remove(LockKey key) {
    Row row = rows.remove(key);
    if (row != null) {
      index.remove(row.id());
      notes.remove(row.id());
    }
  }

  Deque<PlainLine.PlainPlace> waiting(LockKey key) {
    return line.computeIfAbsent(key, k -> new ArrayDeque<>());
  }
}
