package dev.syncguard.sync.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain objects: {@code Map}, {@code List}, {@code String}, {@code Boolean}, {@link Num} and {@link #NULL}.
 *
 * <p>Strict in what it reads, and numbers keep the very digits they came with, so that what belongs to others passes
 * through unchanged.
 */
public final class Json {

  /** The null of JSON. */
  public static final Object NULL = new Object() {
    @Override
    public String toString() {
      return "null";
    }
  };

  /** A number, as it was written. */
  public record Num(String text) {}

  /** Text that is JSON already and is written as it is. */
  public record Raw(String text) {}

  private static final int DEEPEST = 64;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Returns what {@code text} says, or null if it is not JSON. */
  public static @Nullable Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.skipSpace();
    return value != null && json.at == text.length() ? value : null;
  }

  /** Returns the object that {@code text} says, or null if it is not a JSON object. */
  public static @Nullable Map<String, Object> parseObject(String text) {
    return object(parse(text));
  }

  /** Returns {@code value} if it is an object, otherwise null. */
  @SuppressWarnings("unchecked") // the parser makes no other maps
  public static @Nullable Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map ? (Map<String, Object>) value : null;
  }

  /** Returns {@code value} if it is a whole number that fits, otherwise null. */
  public static @Nullable Long whole(@Nullable Object value) {
    return value instanceof Num number ? whole(number.text()) : null;
  }

  /** Returns the plain decimal {@code digits}, without sign or leading zeros, or null if it is anything else. */
  public static @Nullable Long whole(String digits) {
    int length = digits.length();
    if (length == 0 || length > 18 || (length > 1 && digits.charAt(0) == '0')) {
      return null;
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private @Nullable Object value(int depth) {
    skipSpace();
    if (at >= text.length() || depth > DEEPEST) {
      return null;
    }
    return switch (text.charAt(at)) {
      case '{' -> objectAt(depth);
      case '[' -> listAt(depth);
      case '"' -> stringAt();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", NULL);
      default -> numberAt();
    };
  }

  private @Nullable Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      return null;
    }
    at += word.length();
    return value;
  }

  private @Nullable Object objectAt(int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    if (ends('}')) {
      return object;
    }
    do {
      skipSpace();
      String name = at < text.length() && text.charAt(at) == '"' ? stringAt() : null;
      if (name == null || !ends(':')) {
        return null;
      }
      Object value = value(depth + 1);
      if (value == null || object.put(name, value) != null) {
        return null;
      }
    } while (ends(','));
    return ends('}') ? object : null;
  }

  private @Nullable Object listAt(int depth) {
    List<Object> list = new ArrayList<>();
    at++;
    if (ends(']')) {
      return list;
    }
    do {
      Object value = value(depth + 1);
      if (value == null) {
        return null;
      }
      list.add(value);
    } while (ends(','));
    return ends(']') ? list : null;
  }

  /** Steps over {@code mark} if it comes next. */
  private boolean ends(char mark) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == mark) {
      at++;
      return true;
    }
    return false;
  }

  private @Nullable String stringAt() {
    int start = ++at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        return text.substring(start, at++);
      }
      if (c == '\\') {
        return escapedStringFrom(start);
      }
      if (c < ' ') {
        return null;
      }
      at++;
    }
    return null;
  }

  private @Nullable String escapedStringFrom(int start) {
    StringBuilder out = new StringBuilder(text.substring(start, at));
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return out.toString();
      }
      if (c < ' ') {
        return null;
      }
      if (c != '\\') {
        out.append(c);
        continue;
      }
      int escaped = escape();
      if (escaped < 0) {
        return null;
      }
      out.append((char) escaped);
    }
    return null;
  }

  private int escape() {
    if (at >= text.length()) {
      return -1;
    }
    char c = text.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> -1;
    };
  }

  private int hex() {
    if (at + 4 > text.length()) {
      return -1;
    }
    int value = 0;
    for (int end = at + 4; at < end; at++) {
      int digit = "0123456789abcdef".indexOf(text.charAt(at) | ' ');
      if (digit < 0) {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  private @Nullable Object numberAt() {
    int start = at;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
    }
    int integer = at;
    if (!digits() || (text.charAt(integer) == '0' && at - integer > 1)) {
      return null;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      if (!digits()) {
        return null;
      }
    }
    if (at < text.length() && (text.charAt(at) | ' ') == 'e') {
      at++;
      if (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      if (!digits()) {
        return null;
      }
    }
    return new Num(text.substring(start, at));
  }

  private boolean digits() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at > start;
  }

  /** Returns {@code value} as JSON. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof String string) {
      quote(out, string);
    } else if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        quote(out.append(before), (String) entry.getKey());
        write(out.append(':'), entry.getValue());
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      char before = '[';
      for (Object element : list) {
        write(out.append(before), element);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else if (value instanceof Num number) {
      out.append(number.text());
    } else if (value instanceof Raw raw) {
      out.append(raw.text());
    } else if (value instanceof Boolean
        || value instanceof Integer
        || value instanceof Long
        || value == NULL) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("There is no JSON for such a value");
    }
  }

  /** Appends {@code string} with quotes around it. */
  public static void quote(StringBuilder out, String string) {
    out.append('"');
    int done = 0;
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
        continue;
      }
      out.append(string, done, i);
      done = i + 1;
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u00")
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < string.length()
          && Character.isLowSurrogate(string.charAt(i + 1))) {
        out.append(c).append(string.charAt(++i));
        done = i + 1;
      } else {
        // Half a character has no UTF-8; escaped it at least survives as what it is.
        out.append("\\u").append(Integer.toHexString(c));
      }
    }
    out.append(string, done, string.length()).append('"');
  }
}
