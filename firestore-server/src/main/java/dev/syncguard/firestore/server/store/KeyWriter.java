package dev.syncguard.firestore.server.store;

import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.value.PathOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes keys whose bytes, compared without sign, sort as what they were written from.
 *
 * <p>What varies in length ends with a zero. A zero within it is followed by 0xFF, and nothing that may come after an end
 * starts with 0xFF, so that what is shorter sorts first.
 */
final class KeyWriter {
  /** Ends a sequence; sorts before all that could go on. */
  static final int END = 1;

  static final int NUMERIC_ID = 2;
  static final int ID = 3;
  /** Sorts after everything that can follow a part of a key. */
  static final int LAST = 0xFF;

  private byte[] bytes = new byte[48];
  private int size;
  private int limit = Integer.MAX_VALUE;

  int size() {
    return size;
  }

  /** Lets what is written from here on take so many bytes, and drops the rest. */
  KeyWriter limit(int more) {
    limit = size + more;
    return this;
  }

  /** Reaches the limit here: what is written from here on is dropped. */
  void cut() {
    limit = Math.min(limit, size);
  }

  /** Ends the limit and returns whether it was reached, so that something may be missing. */
  boolean endLimit() {
    boolean cut = size >= limit;
    limit = Integer.MAX_VALUE;
    return cut;
  }

  KeyWriter put(int value) {
    if (size < limit) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * size);
      }
      bytes[size++] = (byte) value;
    }
    return this;
  }

  KeyWriter put(byte[] written) {
    for (byte value : written) {
      put(value);
    }
    return this;
  }

  KeyWriter putInt(int value) {
    return put(value >>> 24).put(value >>> 16).put(value >>> 8).put(value);
  }

  KeyWriter putLong(long value) {
    return putInt((int) (value >>> 32)).putInt((int) value);
  }

  /** Writes a number with a sign. */
  KeyWriter putSigned(long value) {
    return putLong(value ^ Long.MIN_VALUE);
  }

  KeyWriter text(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < text.length && size < limit; i++) {
      escaped(text[i]);
    }
    return put(0);
  }

  KeyWriter blob(ByteString value) {
    for (int i = 0; i < value.size() && size < limit; i++) {
      escaped(value.byteAt(i));
    }
    return put(0);
  }

  private void escaped(byte value) {
    put(value);
    if (value == 0) {
      put(LAST);
    }
  }

  /** Writes one segment of a path. Two ids may be one number, but they are still two ids. */
  KeyWriter id(String id) {
    return PathOrder.isNumeric(id)
        ? put(NUMERIC_ID).putSigned(PathOrder.number(id)).text(id)
        : put(ID).text(id);
  }

  /** Writes the segments of a path, without an end; an empty path has none. */
  KeyWriter path(String path) {
    int start = 0;
    while (start < path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      id(path.substring(start, end));
      start = end + 1;
    }
    return this;
  }

  /** Turns the order of everything from the place on around. */
  void invertFrom(int place) {
    for (int i = place; i < size; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
