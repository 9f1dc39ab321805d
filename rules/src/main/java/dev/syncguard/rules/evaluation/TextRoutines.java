package dev.syncguard.rules.evaluation;

import com.google.protobuf.ByteString;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.BytesValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The methods of strings. */
final class TextRoutines {
  private static final int ASCII_CASE = 'a' - 'A';
  /** What takes about a second: each character may go through the whole expression. */
  private static final long MOST_STEPS = 50_000_000;

  private TextRoutines() {}

  static Map<String, Routine> methods(Patterns patterns) {
    return new Routines()
        .one(
            "size",
            StringValue.class,
            ValueType.STRING,
            s -> RulesValue.of(s.value().length()))
        .one("lower", StringValue.class, ValueType.STRING, s -> RulesValue.of(lower(s.value())))
        .one("upper", StringValue.class, ValueType.STRING, s -> RulesValue.of(upper(s.value())))
        .one(
            "trim",
            StringValue.class,
            ValueType.STRING,
            s -> RulesValue.of(s.value().trim()))
        .one(
            "toUtf8",
            StringValue.class,
            ValueType.STRING,
            s -> new BytesValue(ByteString.copyFromUtf8(s.value())))
        .add(
            "matches",
            2,
            texts(a -> with(
                patterns, a, pattern -> RulesValue.of(pattern.matcher(a.get(0)).matches()))))
        .add(
            "split",
            2,
            texts(a -> with(
                patterns,
                a,
                pattern -> RulesValue.list(Arrays.stream(pattern.split(a.get(0), -1))
                    .map(RulesValue::of)
                    .toList()))))
        .add(
            "replace",
            3,
            texts(a -> with(patterns, a, pattern -> replace(pattern, a.get(0), a.get(2)))))
        .build();
  }

  /** Returns the body of a routine that takes only strings. */
  private static Routine.Body texts(Function<List<String>, Outcome> body) {
    return arguments -> {
      for (RulesValue argument : arguments) {
        if (!(argument instanceof StringValue)) {
          return Failure.type(argument, ValueType.STRING);
        }
      }
      return body.apply(
          arguments.stream().map(argument -> ((StringValue) argument).value()).toList());
    };
  }

  /** Finds the pattern that is the second argument, unless it would take too long on the first. */
  private static Outcome with(
      Patterns patterns, List<String> arguments, Function<Pattern, Outcome> body) {
    String expression = arguments.get(1);
    if ((long) arguments.get(0).length() * Patterns.size(expression) > MOST_STEPS) {
      return Failure.because("This regular expression would take too long.");
    }
    Optional<Pattern> pattern = patterns.of(expression);
    return pattern.isPresent()
        ? body.apply(pattern.get())
        : Failure.because("Invalid regular expression.");
  }

  private static Outcome replace(Pattern pattern, String text, String by) {
    StringBuilder replaced = new StringBuilder();
    Matcher matcher = pattern.matcher(text);
    int at = 0;
    while (matcher.find()) {
      replaced.append(text, at, matcher.start()).append(by);
      at = matcher.end();
      if (replaced.length() > Operators.LONGEST_TEXT) {
        return Operators.tooLong();
      }
    }
    return RulesValue.of(replaced.append(text, at, text.length()).toString());
  }

  private static String lower(String text) {
    return shift(text, 'A', ASCII_CASE);
  }

  private static String upper(String text) {
    return shift(text, 'a', -ASCII_CASE);
  }

  private static String shift(String text, char first, int by) {
    StringBuilder shifted = new StringBuilder(text);
    for (int i = 0; i < shifted.length(); i++) {
      char c = shifted.charAt(i);
      if (c >= first && c < first + 26) {
        shifted.setCharAt(i, (char) (c + by));
      }
    }
    return shifted.toString();
  }
}
