package dev.syncguard.firestore.server.value;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the text of field paths. */
final class FieldPathParser {
  private final String text;
  private int position;

  FieldPathParser(String text) {
    this.text = text;
  }

  List<String> segments() {
    List<String> segments = new ArrayList<>();
    while (true) {
      segments.add(position < text.length() && text.charAt(position) == '`' ? quoted() : simple());
      if (position == text.length()) {
        return segments;
      }
      if (text.charAt(position) != '.') {
        throw malformed();
      }
      position++;
    }
  }

  private String simple() {
    int start = position;
    while (position < text.length() && isSimple(text.charAt(position), position == start)) {
      position++;
    }
    if (position == start) {
      throw malformed();
    }
    return text.substring(start, position);
  }

  private String quoted() {
    StringBuilder segment = new StringBuilder();
    position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '`') {
        if (segment.isEmpty()) {
          throw malformed();
        }
        return segment.toString();
      }
      if (c == '\\') {
        if (position == text.length()) {
          throw malformed();
        }
        c = text.charAt(position++);
        if (c != '`' && c != '\\') {
          throw malformed();
        }
      }
      segment.append(c);
    }
    throw malformed();
  }

  static String quote(String segment) {
    if (isSimple(segment)) {
      return segment;
    }
    return '`' + segment.replace("\\", "\\\\").replace("`", "\\`") + '`';
  }

  private static boolean isSimple(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      if (!isSimple(segment.charAt(i), i == 0)) {
        return false;
      }
    }
    return !segment.isEmpty();
  }

  private static boolean isSimple(char c, boolean first) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '_'
        || (!first && c >= '0' && c <= '9');
  }

  private FirestoreServerException malformed() {
    return FirestoreServerException.invalid(
        "Invalid property path \"" + abbreviated() + "\". Unquoted property names "
            + "must match regex ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property names must match regex "
            + "(`(?:[^`\\\\]|(?:\\\\.))+`)");
  }

  private String abbreviated() {
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }
}
