package dev.syncguard.firestore.server.store;

/**
 * What recent commits replaced, oldest first. It is bounded in time, so that the past can be read for an hour, in number
 * and in bytes, so that a busy hour does not fill the heap. One thread may use it at a time.
 */
final class History {
  /** What an entry takes of the heap beside its bytes: two arrays and their places in a page. */
  private static final int OVERHEAD = 96;

  private static final int SPARE = 64;

  private final KeySpace keys;
  private final long retentionMicros;
  private final int maxEntries;
  private final long maxBytes;
  private long oldestEntry = Long.MAX_VALUE;
  private long entries;
  private long bytes;
  private long horizon;

  /** @param horizon the time before which nothing is known */
  History(KeySpace keys, Database.HistoryLimits limits, long horizon) {
    this.keys = keys;
    this.retentionMicros = limits.retention().toNanos() / 1000;
    this.maxEntries = limits.maxChanges();
    this.maxBytes = limits.maxBytes() - limits.maxBytes() / 16; // the rest is for half-filled pages
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

  /** Counts what the key space already holds. */
  void count(KeySpace.Root root) {
    Entries held = root.entries(Keys.historyStart(), Keys.historyEnd(), false);
    for (; !held.isOver(); held.advance()) {
      oldestEntry = Math.min(oldestEntry, Keys.historyMicros(held.key()));
      entries++;
      bytes += weight(held.key(), held.value());
    }
  }

  void add(long micros, String path, byte[] before) {
    byte[] key = Keys.history(micros, path);
    keys.put(key, before);
    oldestEntry = Math.min(oldestEntry, micros);
    entries++;
    bytes += weight(key, before);
  }

  /** Drops what is too old or too much. */
  void expire(long nowMicros) {
    long oldest = nowMicros - retentionMicros;
    if (oldestEntry <= oldest || isTooMuch(0)) {
      KeySpace.Root root = keys.root();
      try {
        Entries held = root.entries(Keys.historyStart(), Keys.historyEnd(), false);
        while (!held.isOver() && (Keys.historyMicros(held.key()) <= oldest || isTooMuch(SPARE))) {
          keys.remove(held.key());
          entries--;
          bytes -= weight(held.key(), held.value());
          horizon = Math.max(horizon, Keys.historyMicros(held.key()));
          held.advance();
        }
        oldestEntry = held.isOver() ? Long.MAX_VALUE : Keys.historyMicros(held.key());
      } finally {
        root.release();
      }
    }
    horizon = Math.max(horizon, oldest);
  }

  /** @param spare the part of the limits that is to be left, so that not every commit has to make room */
  private boolean isTooMuch(int spare) {
    return entries > maxEntries - (spare == 0 ? 0 : maxEntries / spare)
        || bytes > maxBytes - (spare == 0 ? 0 : maxBytes / spare);
  }

  private static long weight(byte[] key, byte[] value) {
    return (long) OVERHEAD + key.length + value.length;
  }
}
