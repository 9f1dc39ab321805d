package dev.syncguard.firestore.server.rules.evaluation;

import com.google.protobuf.ByteString;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.syncguard.firestore.server.rules.value.Failure;
import dev.syncguard.firestore.server.rules.value.Outcome;
import dev.syncguard.firestore.server.rules.value.RulesValue;
import dev.syncguard.firestore.server.rules.value.RulesValue.BytesValue;
import dev.syncguard.firestore.server.rules.value.RulesValue.StringValue;
import dev.syncguard.firestore.server.rules.value.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The methods of strings. */
final class TextRoutines {
  private static final int ASCII_CASE = 'a' - 'A';

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
                patterns,
                a.get(1),
                pattern -> RulesValue.of(pattern.matcher(a.get(0)).matches()))))
        .add(
            "split",
            2,
            texts(a -> with(
                patterns,
                a.get(1),
                pattern -> RulesValue.list(Arrays.stream(pattern.split(a.get(0), -1))
                    .map(RulesValue::of)
                    .toList()))))
        .add(
            "replace",
            3,
            texts(a -> with(
                patterns,
                a.get(1),
                pattern -> RulesValue.of(
                    pattern.matcher(a.get(0)).replaceAll(Matcher.quoteReplacement(a.get(2)))))))
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

  private static Outcome with(
      Patterns patterns, String expression, Function<Pattern, Outcome> body) {
    Optional<Pattern> pattern = patterns.of(expression);
    return pattern.isPresent()
        ? body.apply(pattern.get())
        : Failure.because("Invalid regular expression.");
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
