package dev.syncguard.lock;

import java.util.regex.Pattern;

/**
 * A 96-bit fingerprint of a key or lock id, for logs, metrics and screens.
 *
 * <p>Every SyncGuard library computes the same one. It is no secret and no proof: whoever has it can guess at the
 * original, and two originals can be made to share one. Never decide anything by it.
 *
 * @param hex 24 lower-case hexadecimal digits
 */
public record LockHash(String hex) {

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{24}");

  public LockHash {
    if (!FORM.matcher(hex).matches()) {
      throw LockException.invalidArgument("A lock hash has 24 lower-case hexadecimal digits");
    }
  }

  /** Returns the fingerprint of a text, which is normalised first. */
  public static LockHash of(String text) {
    String normal = Composed.of(text);
    int a = 0;
    int b = 0;
    int c = 0;
    for (int i = 0; i < normal.length(); i++) {
      int unit = normal.charAt(i);
      a = a * 31 + unit;
      b = b * 127 + unit * 3;
      c = c * 2047 + unit * 7;
    }
    return new LockHash(eightDigits(a) + eightDigits(b) + eightDigits(c));
  }

  private static String eightDigits(int value) {
    String digits = Integer.toHexString(value);
    return "0".repeat(8 - digits.length()) + digits;
  }

  @Override
  public String toString() {
    return hex;
  }
}
