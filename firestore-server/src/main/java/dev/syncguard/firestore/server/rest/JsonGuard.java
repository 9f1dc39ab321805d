package dev.syncguard.firestore.server.rest;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.Set;

/**
 * Turns away JSON that is made to hurt: nested so deep that a parser runs out of stack, with numbers so long that reading
 * one takes minutes, be they bare or in quotes, or with text that is none in UTF-8. It looks at each character once and judges nothing else.
 */
final class JsonGuard {
  private static final int MAX_DEPTH = 90;
  private static final int MAX_NUMBER = 400;
  /** Where a long row of digits is just text. */
  private static final Set<String> TEXTS =
      Set.of("stringValue", "string_value", "bytesValue", "bytes_value");

  private final String json;
  private int depth;
  private int digits;
  private String key = "";

  private JsonGuard(String json) {
    this.json = json;
  }

  static void check(String json) {
    new JsonGuard(json).scan();
  }

  private void scan() {
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      digits = isNumberPart(c) ? digits + 1 : 0;
      if (digits > MAX_NUMBER) {
        throw FirestoreServerException.invalid(
            "Payload isn't valid for request: a number is too long.");
      }
      switch (c) {
        case '"' -> i = string(i + 1);
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        throw FirestoreServerException.invalid(
            "Payload isn't valid for request: it is nested too deep.");
      }
    }
  }

  /** Passes over a string and returns where it ends. */
  private int string(int start) {
    boolean numeric = true;
    int end = start;
    while (end < json.length() && json.charAt(end) != '"') {
      numeric &= isNumberPart(json.charAt(end));
      end += json.charAt(end) == '\\' ? escape(end) : 1;
    }
    end = Math.min(end, json.length());
    if (isKey(end + 1)) {
      key = json.substring(start, end);
    } else if (numeric && end - start > MAX_NUMBER && !TEXTS.contains(key)) {
      throw FirestoreServerException.invalid(
          "Payload isn't valid for request: a number is too long.");
    }
    return end;
  }

  /** Returns how long an escape is, together with the second half of a character that needs two. */
  private int escape(int start) {
    int first = unit(start);
    if (first < 0 || !Character.isSurrogate((char) first)) {
      return 2;
    }
    int second = unit(start + 6);
    if (second < 0 || !Character.isSurrogatePair((char) first, (char) second)) {
      throw FirestoreServerException.invalid(
          "Payload isn't valid for request: a string has half of a character.");
    }
    return 12;
  }

  /** Returns the number in an escape of four hexadecimal digits, or a negative one if there is none. */
  private int unit(int start) {
    if (start + 6 > json.length() || json.charAt(start) != '\\' || json.charAt(start + 1) != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = start + 2; i < start + 6; i++) {
      int digit = Character.digit(json.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      unit = 16 * unit + digit;
    }
    return unit;
  }

  private boolean isKey(int after) {
    int next = after;
    while (next < json.length() && Character.isWhitespace(json.charAt(next))) {
      next++;
    }
    return next < json.length() && json.charAt(next) == ':';
  }

  private static boolean isNumberPart(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
  }
}
