package dev.syncguard.sync.text;

/** What texts weigh in bytes. */
public final class Utf8 {

  private Utf8() {}

  /** Returns how many bytes {@code text} has in UTF-8. */
  public static int length(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // Each half of a surrogate pair counts two of its four bytes.
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }
}
