package dev.syncguard.lock;

import org.jspecify.annotations.Nullable;

/**
 * The name of what is being protected: Unicode in composed form (NFC), 1 to 512 bytes of UTF-8.
 *
 * <p>Two spellings of one text are one key. Everything but NUL and broken surrogate pairs is allowed. Immutable;
 * {@link #toString()} shows only the hash.
 */
public final class LockKey implements Comparable<LockKey> {

  /** The longest key, in bytes of UTF-8 after normalisation. */
  public static final int MAX_BYTES = 512;

  private final String value;

  private LockKey(String value) {
    this.value = value;
  }

  /** Returns the key for a text, or throws {@code InvalidArgument}. */
  public static LockKey of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      throw LockException.invalidArgument("A key must not be empty");
    }
    // Composition packs fewer than two characters into a byte, so a longer text cannot become a
    // valid key; asking
    // first keeps a hostile one from costing us its normalisation.
    if (text.length() > 3 * MAX_BYTES) {
      throw tooLong();
    }
    requireStorable(text);
    String normal = Composed.of(text);
    if (utf8Length(normal) > MAX_BYTES) {
      throw tooLong();
    }
    return new LockKey(normal);
  }

  private static void requireStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit == 0) {
        throw LockException.invalidArgument(
            "A key must not contain NUL: not every store can keep it");
      }
      if (Character.isSurrogate(unit)) {
        boolean paired = Character.isHighSurrogate(unit)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          throw LockException.invalidArgument("A key must not contain half of a surrogate pair");
        }
        i++;
      }
    }
  }

  private static LockException tooLong() {
    return LockException.invalidArgument("A key must not be longer than " + MAX_BYTES
        + " bytes of UTF-8 after normalisation; put a hash of the long part into the key instead");
  }

  private static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      // A pair takes four bytes, two for each of its halves.
      bytes += unit < 0x80 ? 1 : unit < 0x800 || Character.isSurrogate(unit) ? 2 : 3;
    }
    return bytes;
  }

  /** Returns the normalised text itself. It may be confidential: keep it out of logs. */
  public String value() {
    return value;
  }

  /** Returns the fingerprint under which logs and metrics know this key. */
  public LockHash hash() {
    return LockHash.of(value);
  }

  /** Orders keys the same way in every process, so that several are always taken in one order. */
  @Override
  public int compareTo(LockKey other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LockKey that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "LockKey[" + hash() + "]";
  }
}
