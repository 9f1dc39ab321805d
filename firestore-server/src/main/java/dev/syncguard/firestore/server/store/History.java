package dev.syncguard.firestore.server.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The cells that recent commits touched, oldest first. It is bounded in time, so that the past can be read for an hour,
 * in number and in bytes, so that a busy hour does not fill the heap.
 */
final class History {
  private record Entry(long micros, DocumentCell cell, int bytes) {}

  private final long retentionMicros;
  private final int maxEntries;
  private final long maxBytes;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long bytes;
  private long horizon;

  /** @param horizon the time before which nothing is known */
  History(long retentionMicros, int maxEntries, long maxBytes, long horizon) {
    this.retentionMicros = retentionMicros;
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.horizon = horizon;
  }

  /** Returns the oldest time that can still be read. */
  long horizon() {
    return horizon;
  }

  long retentionMicros() {
    return retentionMicros;
  }

  /** Gives up everything before the time. */
  void startAt(long micros) {
    horizon = Math.max(horizon, micros);
  }

  /** @param oldBytes how much the state before the change holds on to */
  void add(long micros, DocumentCell cell, int oldBytes) {
    entries.addLast(new Entry(micros, cell, oldBytes));
    bytes += oldBytes;
  }

  /** Returns the cells that changed after the time. */
  Set<DocumentCell> changedAfter(long micros) {
    Set<DocumentCell> changed = new LinkedHashSet<>();
    Iterator<Entry> newestFirst = entries.descendingIterator();
    while (newestFirst.hasNext()) {
      Entry entry = newestFirst.next();
      if (entry.micros() <= micros) {
        break;
      }
      changed.add(entry.cell());
    }
    return changed;
  }

  /** Drops what is too old or too much and hands over the cells that may now forget. */
  void expire(long nowMicros, Consumer<DocumentCell> expired) {
    List<DocumentCell> touched = new ArrayList<>();
    long oldest = nowMicros - retentionMicros;
    while (!entries.isEmpty()
        && (entries.getFirst().micros() <= oldest
            || entries.size() > maxEntries
            || bytes > maxBytes)) {
      Entry entry = entries.removeFirst();
      bytes -= entry.bytes();
      horizon = Math.max(horizon, entry.micros());
      touched.add(entry.cell());
    }
    horizon = Math.max(horizon, oldest);
    touched.forEach(expired);
  }
}
