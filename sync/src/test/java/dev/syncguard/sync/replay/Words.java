package dev.syncguard.sync.replay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of a recording: words with a tab between them. A word may be any text, or missing. */
final class Words {

  private static final String MISSING = "\\0";

  private Words() {}

  static String join(@Nullable Object... words) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < words.length; i++) {
      line.append(i == 0 ? "" : "\t").append(escape(words[i]));
    }
    return line.toString();
  }

  private static String escape(@Nullable Object word) {
    return word == null
        ? MISSING
        : word.toString().replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  /** Returns the words of a line. Those that are missing become null. */
  static List<@Nullable String> split(String line) {
    List<@Nullable String> words = new ArrayList<>();
    int from = 0;
    for (int tab = line.indexOf('\t'); tab >= 0; tab = line.indexOf('\t', from)) {
      words.add(unescape(line.substring(from, tab)));
      from = tab + 1;
    }
    words.add(unescape(line.substring(from)));
    return words;
  }

  private static @Nullable String unescape(String word) {
    if (word.equals(MISSING)) {
      return null;
    }
    if (word.indexOf('\\') < 0) {
      return word;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '\\') {
        i++;
        c = word.charAt(i) == 't' ? '\t' : word.charAt(i) == 'n' ? '\n' : word.charAt(i);
      }
      text.append(c);
    }
    return text.toString();
  }
}
