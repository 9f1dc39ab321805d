package dev.syncguard.userscript.build;

import java.util.List;

/**
 * A source map: for each line of a script which columns come from where.
 *
 * @param json the file, with all of its lines in one text of {@code mappings}
 */
record SourceMap(String json) {

  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final String MAPPINGS = "\"mappings\":\"";

  /** Returns the map of the same script below so many lines. */
  SourceMap below(long lines) {
    return with(";".repeat((int) lines) + mappings());
  }

  /** Returns the map of {@code script} with one more character before each of {@code places}. */
  SourceMap widened(String script, List<Integer> places) {
    var widened = new StringBuilder();
    int lineStart = 0;
    int next = 0;
    for (String line : mappings().split(";", -1)) {
      int lineEnd = script.indexOf('\n', lineStart);
      lineEnd = lineEnd < 0 ? script.length() : lineEnd;
      int column = 0;
      int added = 0;
      widened.append(lineStart == 0 ? "" : ";");
      for (String segment : line.isEmpty() ? new String[0] : line.split(",")) {
        int digits = length(segment);
        int step = step(segment);
        column += step;
        int before = added;
        while (next < places.size() && places.get(next) <= lineStart + column) {
          next++;
          added++;
        }
        widened
            .append(widened.length() == 0 || widened.charAt(widened.length() - 1) == ';' ? "" : ",")
            .append(digits(step + added - before))
            .append(segment, digits, segment.length());
      }
      while (next < places.size() && places.get(next) <= lineEnd) {
        next++;
      }
      lineStart = lineEnd + 1;
    }
    return with(widened.toString());
  }

  private String mappings() {
    int start = json.indexOf(MAPPINGS) + MAPPINGS.length();
    return json.substring(start, json.indexOf('"', start));
  }

  private SourceMap with(String mappings) {
    return new SourceMap(json.replace(MAPPINGS + mappings(), MAPPINGS + mappings));
  }

  /** Returns how many digits the first number of a segment has. All but its last one are 32 or more. */
  private static int length(String segment) {
    int length = 1;
    while (DIGITS.indexOf(segment.charAt(length - 1)) >= 32) {
      length++;
    }
    return length;
  }

  /** Returns the first number of a segment, which is how far it is from the one before. */
  private static int step(String segment) {
    int step = 0;
    for (int i = length(segment) - 1; i >= 0; i--) {
      step = (step << 5) + (DIGITS.indexOf(segment.charAt(i)) & 31);
    }
    return step >> 1; // the last bit is the sign, and columns only grow
  }

  private static String digits(int step) {
    var digits = new StringBuilder();
    int rest = step << 1;
    do {
      digits.append(DIGITS.charAt(rest > 31 ? 32 + (rest & 31) : rest));
      rest >>= 5;
    } while (rest > 0);
    return digits.toString();
  }
}
