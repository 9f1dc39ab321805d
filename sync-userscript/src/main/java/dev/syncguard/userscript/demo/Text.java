package dev.syncguard.userscript.demo;

import org.jspecify.annotations.Nullable;

/** Text inside of JSON and HTML. */
final class Text {

  private Text() {}

  static String json(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    var out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == '<') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
