package dev.syncguard.sync.text;

/** SHA-256 (FIPS 180-4). Written out, because the browser's is asynchronous and TeaVM has no {@code MessageDigest}. */
public final class Sha256 {

  private static final int[] FRACTIONS_OF_CUBE_ROOTS = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
  };

  private final int[] state = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  };

  private Sha256() {}

  /** Returns the digest of {@code text} in UTF-8 as 64 lower-case hexadecimal digits. */
  public static String hex(String text) {
    byte[] message = new byte[text.length() * 3];
    int length = utf8(text, message);
    byte[] padded = new byte[(length + 8) / 64 * 64 + 64];
    System.arraycopy(message, 0, padded, 0, length);
    padded[length] = (byte) 0x80;
    int bits = length * 8;
    for (int i = 0; i < 4; i++) {
      padded[padded.length - 1 - i] = (byte) (bits >>> (8 * i));
    }
    Sha256 digest = new Sha256();
    for (int block = 0; block < padded.length; block += 64) {
      digest.take(padded, block);
    }
    StringBuilder out = new StringBuilder(64);
    for (int word : digest.state) {
      for (int shift = 28; shift >= 0; shift -= 4) {
        out.append(Character.forDigit((word >>> shift) & 15, 16));
      }
    }
    return out.toString();
  }

  /** Writes the text to {@code out} and returns how many bytes it takes. String.getBytes brings all charsets to a browser. */
  private static int utf8(String text, byte[] out) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      int c = text.charAt(i);
      if (Character.isHighSurrogate((char) c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        c = Character.toCodePoint((char) c, text.charAt(++i));
      } else if (Character.isSurrogate((char) c)) {
        c = '?';
      }
      if (c < 0x80) {
        out[length++] = (byte) c;
        continue;
      }
      int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
      out[length++] = (byte) (0xff00 >> (more + 1) | c >> (6 * more));
      while (more-- > 0) {
        out[length++] = (byte) (0x80 | (c >> (6 * more) & 0x3f));
      }
    }
    return length;
  }

  private void take(byte[] bytes, int from) {
    int[] w = new int[64];
    for (int i = 0; i < 16; i++) {
      int at = from + i * 4;
      w[i] = (bytes[at] & 255) << 24
          | (bytes[at + 1] & 255) << 16
          | (bytes[at + 2] & 255) << 8
          | (bytes[at + 3] & 255);
    }
    for (int i = 16; i < 64; i++) {
      int near = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      int far = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + near + w[i - 7] + far;
    }
    int[] s = state.clone();
    for (int i = 0; i < 64; i++) {
      int choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
      int first = s[7]
          + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25))
          + choice
          + FRACTIONS_OF_CUBE_ROOTS[i]
          + w[i];
      int majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
      int second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + majority;
      System.arraycopy(s, 0, s, 1, 7);
      s[4] += first;
      s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
      state[i] += s[i];
    }
  }

  private static int turn(int word, int by) {
    return word >>> by | word << (32 - by);
  }
}
