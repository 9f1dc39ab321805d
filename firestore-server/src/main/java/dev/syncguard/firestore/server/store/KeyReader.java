package dev.syncguard.firestore.server.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads paths back out of keys. */
final class KeyReader {
  private final byte[] key;
  private int place;

  KeyReader(byte[] key, int place) {
    this.key = key;
    this.place = place;
  }

  /** Returns a reader of what was inverted from the place on. */
  static KeyReader inverted(byte[] key, int place) {
    byte[] rest = Arrays.copyOfRange(key, place, key.length);
    for (int i = 0; i < rest.length; i++) {
      rest[i] = (byte) ~rest[i];
    }
    return new KeyReader(rest, 0);
  }

  int place() {
    return place;
  }

  /** Returns whether another id follows, and not the end of the path. */
  boolean hasId() {
    return place < key.length && key[place] != KeyWriter.END;
  }

  String id() {
    place += key[place] == KeyWriter.NUMERIC_ID ? 1 + Long.BYTES : 1;
    int start = place;
    boolean escaped = false;
    while (key[place] != 0 || isEscape(place + 1)) {
      escaped |= key[place] == 0;
      place += key[place] == 0 ? 2 : 1;
    }
    int end = place++;
    return escaped
        ? unescaped(start, end)
        : new String(key, start, end - start, StandardCharsets.UTF_8);
  }

  /** Returns all ids up to the end of the key, whether or not it is divided by an end. */
  String path() {
    StringBuilder path = new StringBuilder(id());
    while (place < key.length) {
      if (key[place] == KeyWriter.END) {
        place++;
      }
      path.append('/').append(id());
    }
    return path.toString();
  }

  /** Returns the ids up to the end of the path. */
  String pathToEnd() {
    StringBuilder path = new StringBuilder(id());
    while (hasId()) {
      path.append('/').append(id());
    }
    return path.toString();
  }

  private boolean isEscape(int at) {
    return at < key.length && key[at] == (byte) KeyWriter.LAST;
  }

  private String unescaped(int start, int end) {
    byte[] text = new byte[end - start];
    int length = 0;
    for (int i = start; i < end; i++) {
      text[length++] = key[i];
      if (key[i] == 0) {
        i++;
      }
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }
}
