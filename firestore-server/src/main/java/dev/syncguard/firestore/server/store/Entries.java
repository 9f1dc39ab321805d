package dev.syncguard.firestore.server.store;

import java.util.Arrays;
import org.h2.mvstore.Cursor;

/** Goes through a stretch of the key space. Not thread-safe. */
final class Entries {
  private final Cursor<byte[], byte[]> cursor;
  private final byte[] from;
  private final byte[] before;
  private final Visits visits;
  private boolean over;

  /** @param cursor may also give the entry at {@code before}, and something for a stretch that ends before it starts */
  Entries(Cursor<byte[], byte[]> cursor, byte[] from, byte[] before, Visits visits) {
    this.visits = visits;
    this.cursor = cursor;
    this.from = from;
    this.before = before;
    this.over = Arrays.compareUnsigned(from, before) >= 0;
    advance();
  }

  boolean isOver() {
    return over;
  }

  void advance() {
    while (!over) {
      if (!cursor.hasNext()) {
        over = true;
      } else if (isWithin(cursor.next())) {
        visits.entries++;
        return;
      }
    }
  }

  private boolean isWithin(byte[] key) {
    return Arrays.compareUnsigned(key, before) < 0 && Arrays.compareUnsigned(from, key) <= 0;
  }

  byte[] key() {
    return cursor.getKey();
  }

  byte[] value() {
    return cursor.getValue();
  }
}
