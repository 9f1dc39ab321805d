package dev.syncguard.userscript.build;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a script needs parentheses around its functions, so that browsers compile it in one go.
 *
 * <p>A browser that meets a function only skims it, and reads it again when it is first called. Most of ours are called
 * before anything can be seen, so reading them twice is a fifth of what the script costs until then. A function in
 * parentheses looks as if it were called on the spot, and is compiled when it is first read.
 */
final class EagerFunctions {

  /** An arrow function as the compiler writes it, its parameters in parentheses or not. */
  private static final Pattern FUNCTION =
      Pattern.compile("=\\s*(?=(?:[\\w$]+|\\([\\w$,\\s]*\\))\\s*=>\\s*\\{)");

  /** What may stand before a regular expression, but not before a division. */
  private static final String BEFORE_EXPRESSION = "(,=:[!&|?{};";

  private final String script;
  private final Matcher function;
  /** Whether each block that is open is the body of a function to put into parentheses. */
  private final Deque<Boolean> open = new ArrayDeque<>();

  private final List<Integer> places = new ArrayList<>();

  private EagerFunctions(String script) {
    this.script = script;
    this.function = FUNCTION.matcher(script);
  }

  /** Returns before which characters to write a parenthesis, an opening and a closing one by turns. */
  static List<Integer> places(String script) {
    var functions = new EagerFunctions(script);
    functions.read();
    return functions.places;
  }

  private void read() {
    boolean body = false;
    for (int at = 0; at < script.length(); at++) {
      char c = script.charAt(at);
      if (c == '"' || c == '\'' || (c == '/' && beginsExpression(at))) {
        at = endOfLiteral(at);
      } else if (c == '='
          && open.size() == 1
          && function.region(at, script.length()).lookingAt()) {
        places.add(function.end());
        body = true;
      } else if (c == '{') {
        open.push(body);
        body = false;
      } else if (c == '}' && open.pop()) {
        places.add(at + 1);
      }
    }
    if (!open.isEmpty()) {
      throw new IllegalStateException("The compiled script has blocks that do not end");
    }
  }

  private boolean beginsExpression(int at) {
    String before = script.substring(Math.max(0, at - 8), at).stripTrailing();
    return before.endsWith("return")
        || (!before.isEmpty()
            && BEFORE_EXPRESSION.indexOf(before.charAt(before.length() - 1)) >= 0);
  }

  /** Returns where a text or a regular expression ends that begins at {@code start}. */
  private int endOfLiteral(int start) {
    boolean choice = false;
    for (int at = start + 1; at < script.length(); at++) {
      char c = script.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == script.charAt(start) && !choice) {
        return at;
      } else if (script.charAt(start) == '/' && (c == '[' || c == ']')) {
        choice = c == '['; // a slash is nothing special between brackets
      }
    }
    throw new IllegalStateException("The compiled script has a text that does not end");
  }
}
