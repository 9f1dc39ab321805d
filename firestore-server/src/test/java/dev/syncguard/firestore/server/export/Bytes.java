package dev.syncguard.firestore.server.export;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes as the description of the format writes them: pairs of hexadecimal digits, and texts in quotes. */
final class Bytes {
  private Bytes() {}

  static byte[] of(String text) {
    StringBuilder digits = new StringBuilder();
    String[] parts = text.split("\"", -1);
    for (int i = 0; i < parts.length; i++) {
      digits.append(
          i % 2 == 0
              ? parts[i].replaceAll("\\s", "")
              : HexFormat.of().formatHex(parts[i].getBytes(StandardCharsets.UTF_8)));
    }
    return HexFormat.of().parseHex(digits);
  }
}
