package dev.syncguard.cli;

import java.util.List;

/** A JSON object under construction that fits on one line. Not thread-safe. */
final class JsonLine {

  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder("{");

  JsonLine add(String name, boolean value) {
    return member(name, Boolean.toString(value));
  }

  JsonLine add(String name, long value) {
    return member(name, Long.toString(value));
  }

  JsonLine add(String name, String value) {
    return member(name, quote(value));
  }

  JsonLine add(String name, List<JsonLine> values) {
    return member(
        name, "[" + String.join(",", values.stream().map(JsonLine::toString).toList()) + "]");
  }

  private JsonLine member(String name, String value) {
    if (text.length() > 1) {
      text.append(',');
    }
    text.append(quote(name)).append(':').append(value);
    return this;
  }

  /** Returns the text as a JSON string. All but ASCII is escaped, so that no locale can damage it. */
  static String quote(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7f) {
        quoted.append(c);
      } else {
        quoted.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          quoted.append(HEX.charAt((c >> shift) & 0xf));
        }
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return text + "}";
  }
}
