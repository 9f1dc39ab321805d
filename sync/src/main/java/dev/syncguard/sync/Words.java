package dev.syncguard.sync;

/** Looks for words in the messages of servers. */
final class Words {

  private Words() {}

  /** Returns whether {@code text} contains {@code word}, in capitals or not. */
  static boolean mentions(String text, String word) {
    for (int i = 0; i + word.length() <= text.length(); i++) {
      if (text.regionMatches(true, i, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether {@code text} contains one of {@code words}. */
  static boolean mentionsAny(String text, String... words) {
    for (String word : words) {
      if (mentions(text, word)) {
        return true;
      }
    }
    return false;
  }
}
