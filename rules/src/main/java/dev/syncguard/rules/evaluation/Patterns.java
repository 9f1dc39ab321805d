package dev.syncguard.rules.evaluation;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Regular expressions, compiled once. They take time in proportion to the text, whatever they are; those whose repetitions
 * multiply to a program of absurd size are refused. Thread-safe.
 */
final class Patterns {
  private static final int MOST_KEPT = 256;
  private static final int MOST_CHARACTERS = 4_096;
  private static final long MOST_REPETITIONS = 100_000;

  private final Map<String, Optional<Pattern>> compiled = new ConcurrentHashMap<>();

  /** Returns the pattern, or nothing if it is not a valid one. */
  Optional<Pattern> of(String expression) {
    Optional<Pattern> known = compiled.get(expression);
    if (known != null) {
      return known;
    }
    Optional<Pattern> pattern = compile(expression);
    if (compiled.size() < MOST_KEPT) {
      compiled.put(expression, pattern);
    }
    return pattern;
  }

  private static Optional<Pattern> compile(String expression) {
    if (expression.length() > MOST_CHARACTERS || repetitions(expression) > MOST_REPETITIONS) {
      return Optional.empty();
    }
    try {
      return Optional.of(Pattern.compile(expression));
    } catch (PatternSyntaxException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  /** Returns how large a program the expression may become. */
  static long size(String expression) {
    return Math.max(expression.length(), repetitions(expression));
  }

  /** Returns the product of all counts, which is what they would come to if each contained the next. */
  private static long repetitions(String expression) {
    long product = 1;
    long number = 0;
    long largest = 0;
    boolean counting = false;
    for (int i = 0; i < expression.length() && product <= MOST_REPETITIONS; i++) {
      char c = expression.charAt(i);
      if (c == '{') {
        counting = true;
        number = 0;
        largest = 0;
      } else if (counting && c >= '0' && c <= '9') {
        number = Math.min(MOST_REPETITIONS, number * 10 + (c - '0'));
        largest = Math.max(largest, number);
      } else if (counting && c == ',') {
        number = 0;
      } else if (counting) {
        counting = false;
        product *= c == '}' ? Math.max(1, largest) : 1;
      }
    }
    return product;
  }
}
