package dev.syncguard.firestore.server.value;

/** The order of strings by their UTF-8 bytes, which is the order of code points and not that of Java's chars. */
public final class Utf8Order {
  private Utf8Order() {}

  /** Compares two strings as if their UTF-8 bytes were compared without sign. */
  public static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(rank(x), rank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Returns the number of bytes that the string takes in UTF-8; a lone surrogate counts as three. */
  public static int size(String text) {
    int size = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        size += 1;
      } else if (c < 0x800) {
        size += 2;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        size += 4;
        i++;
      } else {
        size += 3;
      }
    }
    return size;
  }

  // Surrogates stand for code points above the rest of the basic plane, so they move to its end.
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
