package dev.syncguard.firestore.server.trigger;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of documents in which a name in braces stands for any one id, as in {@code orders/{id}}, and one with {@code =**}
 * for one id or several. Immutable.
 */
public final class PathPattern {
  private static final Pattern WILDCARD = Pattern.compile("\\{(\\w+)(=\\*\\*?)?}");

  private final String text;
  private final Map<String, Integer> groups = new LinkedHashMap<>();
  private final Pattern regex;

  private PathPattern(String text) {
    this.text = text;
    StringBuilder expression = new StringBuilder();
    String[] segments = text.split("/", -1);
    boolean several = false;
    for (int i = 0; i < segments.length; i++) {
      Matcher wildcard = WILDCARD.matcher(segments[i]);
      expression.append(i == 0 ? "" : "/");
      if (wildcard.matches()) {
        boolean any = "=**".equals(wildcard.group(2));
        several |= any;
        expression.append(any ? "(.+)" : "([^/]+)");
        if (groups.put(wildcard.group(1), groups.size() + 1) != null) {
          throw wrong("names " + wildcard.group(1) + " twice");
        }
      } else if (segments[i].isEmpty() || segments[i].matches(".*[{}*].*")) {
        throw wrong("has a segment that is neither an id nor a name in braces");
      } else {
        expression.append(Pattern.quote(segments[i]));
      }
    }
    if (segments.length % 2 != 0 && !several) {
      throw wrong("leads to a collection; documents have an even number of segments");
    }
    this.regex = Pattern.compile(expression.toString(), Pattern.DOTALL);
  }

  /** Returns the pattern of a text, or throws an {@link IllegalArgumentException} that says what is wrong with it. */
  public static PathPattern of(String text) {
    return new PathPattern(text);
  }

  /** Returns what the names in braces stand for in a path of a document, or nothing if it is another one. */
  public Optional<Map<String, String>> match(String path) {
    Matcher matcher = regex.matcher(path);
    if (!matcher.matches() || path.split("/", -1).length % 2 != 0) {
      return Optional.empty();
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    groups.forEach((name, group) -> parameters.put(name, matcher.group(group)));
    return Optional.of(parameters);
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("The path " + text + " " + why);
  }

  @Override
  public String toString() {
    return text;
  }
}
