package dev.syncguard.userscript.demo;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client asked, as far as this forum understands it: the name of the operation and a few arguments.
 *
 * <p>It looks for them in the text instead of parsing GraphQL: every client of the forum is in this repository.
 */
record GraphQlRequest(String text) {

  private static final Pattern OPERATION = Pattern.compile("(?:query|mutation)\\s+(\\w+)");
  private static final Pattern LIMIT = Pattern.compile("\\blimit\\s*:\\s*(\\d+)");

  /** Returns the name of the operation, or an empty string. */
  String operation() {
    Matcher matcher = OPERATION.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** Returns whether the arguments have the form that only the older software takes. */
  boolean isOlderForm() {
    return text.contains("(input:{terms:{") || text.contains("(input: {terms: {");
  }

  /** Returns the string argument of that name. */
  Optional<String> argument(String name) {
    // Inside of the query the quotes are escaped once more, in the variables they are not.
    Matcher matcher =
        Pattern.compile("\\b" + name + "\\\\?\"?\\s*:\\s*\\\\?\"(.*?)\\\\?\"").matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns the moment of that name. */
  Optional<Instant> moment(String name) {
    return argument(name).map(Instant::parse);
  }

  /** Returns how many results are asked for at most; the forums give five to those who do not say. */
  int limit() {
    Matcher matcher = LIMIT.matcher(text);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 5;
  }

  /** Returns the JSON object of that name among the variables. */
  Optional<String> object(String name) {
    Matcher matcher = Pattern.compile('"' + name + "\"\\s*:\\s*\\{").matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    int start = matcher.end() - 1;
    int depth = 0;
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return Optional.of(text.substring(start, i + 1));
      }
    }
    return Optional.empty();
  }
}
