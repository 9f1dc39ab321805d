package dev.syncguard.sync.text;

/** Looks for words in the messages of servers. */
public final class Words {

  private Words() {}

  /** Returns whether {@code text} contains {@code word}, which is written in small letters of ASCII, in any case. */
  public static boolean mentions(String text, String word) {
    for (int i = 0; i + word.length() <= text.length(); i++) {
      int matching = 0;
      while (matching < word.length()
          && small(text.charAt(i + matching)) == word.charAt(matching)) {
        matching++;
      }
      if (matching == word.length()) {
        return true;
      }
    }
    return false;
  }

  // The tables of Unicode would be a large part of the compiled script.
  private static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + ' ') : c;
  }

  /** Returns whether {@code text} contains one of {@code words}. */
  public static boolean mentionsAny(String text, String... words) {
    for (String word : words) {
      if (mentions(text, word)) {
        return true;
      }
    }
    return false;
  }
}
