package dev.syncguard.firestore.server.webchannel;

/**
 * How answers are cut up: each frame is its length in UTF-16 units, a line break, and so much JSON. All of it is ASCII, so
 * that clients which count bytes, or take a character apart that comes in two reads, still understand it.
 */
final class ChannelFrames {
  private static final int FIRST_BEYOND_ASCII = 0x7f;

  private ChannelFrames() {}

  /** Returns the frame around JSON that is ASCII. */
  static String of(CharSequence json) {
    return json.length() + "\n" + json;
  }

  /** Returns the same JSON with escapes for all that is not ASCII. */
  static String ascii(String json) {
    int first = firstBeyondAscii(json);
    if (first == json.length()) {
      return json;
    }
    StringBuilder text = new StringBuilder(json.length() + 64).append(json, 0, first);
    for (int i = first; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < FIRST_BEYOND_ASCII) {
        text.append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(Character.forDigit((c >> shift) & 0xf, 16));
        }
      }
    }
    return text.toString();
  }

  private static int firstBeyondAscii(String json) {
    int i = 0;
    while (i < json.length() && json.charAt(i) < FIRST_BEYOND_ASCII) {
      i++;
    }
    return i;
  }
}
