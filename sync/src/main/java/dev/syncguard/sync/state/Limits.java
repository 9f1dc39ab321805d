package dev.syncguard.sync.state;

import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Utf8;

/** The bounds that client and rules share. */
public final class Limits {

  /** The date to load from that means: whatever is recent. */
  public static final String LOAD_RECENT = "__LOAD_RECENT__";

  /** The highest epoch or version. A counter that gets there stays there. */
  static final int HIGHEST_COUNTER = 1_000_000_000;

  public static final long HIGHEST_MILLIS = 253_402_300_799_999L;
  static final int LONGEST_LABEL = 128;
  static final int LONGEST_KEY = 64;
  static final int LONGEST_KEY_BYTES = 192;
  static final int LONGEST_LOAD_FROM = 40;

  /** The most bytes we put into a document, with a margin below Firestore's 1 MiB. */
  public static final int LARGEST_DOCUMENT = 1_000_000;

  private Limits() {}

  /** Returns the counter after {@code counter}. */
  public static int next(int counter) {
    return Math.min(counter + 1, HIGHEST_COUNTER);
  }

  public static boolean isCounter(long value) {
    return value >= 0 && value <= HIGHEST_COUNTER;
  }

  static void requireCounter(int value) {
    if (!isCounter(value)) {
      throw new IllegalArgumentException("No counter: " + value);
    }
  }

  public static boolean isLabel(String text) {
    return !text.isEmpty() && text.length() <= LONGEST_LABEL;
  }

  /** Returns whether {@code key} may be the id of something that was read. */
  public static boolean isReadKey(String key) {
    if (key.isEmpty() || key.length() > LONGEST_KEY) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean fine = (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || c == '_'
          || c == '-';
      if (!fine) {
        return false;
      }
    }
    return !isReserved(key);
  }

  /** Returns whether {@code key} may name an author. */
  public static boolean isAuthorKey(String key) {
    if (key.isEmpty() || key.length() > LONGEST_KEY || isReserved(key)) {
      return false;
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean pair = Character.isHighSurrogate(c)
          && i + 1 < key.length()
          && Character.isLowSurrogate(key.charAt(i + 1));
      if (pair) {
        i++;
      } else if (c < ' ' || (c >= 0x7f && c < 0xa0) || Character.isSurrogate(c)) {
        return false;
      }
    }
    return Utf8.length(key) <= LONGEST_KEY_BYTES;
  }

  // Firestore keeps such names to itself.
  private static boolean isReserved(String key) {
    return key.startsWith("__") && key.endsWith("__");
  }

  /** Returns {@code value} if it may travel as a date to load from, otherwise an empty string. */
  public static String normalLoadFrom(String value) {
    boolean fine =
        value.equals(LOAD_RECENT) || (value.length() <= LONGEST_LOAD_FROM && Iso.isMoment(value));
    return fine ? value : "";
  }
}
