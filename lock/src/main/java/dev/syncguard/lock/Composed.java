package dev.syncguard.lock;

import java.text.Normalizer;

/** Text in Unicode's composed form (NFC), in which two spellings of one text are the same. */
final class Composed {

  private Composed() {}

  static String of(String text) {
    return isAscii(text) ? text : Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  /** ASCII is composed already; to learn that from the tables of Unicode, they would have to be loaded. */
  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
