package dev.syncguard.rules.value;

import dev.syncguard.rules.value.RulesValue.BytesValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.LatLngValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.MapDiffValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.SetValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.util.Collection;
import java.util.stream.Collectors;

/** Writes outcomes for people: close to the language, and short however large the value is. */
public final class Display {
  private static final int MOST_ELEMENTS = 8;
  private static final int MOST_CHARACTERS = 80;
  private static final int MOST_LEVELS = 3;

  private Display() {}

  /** Returns what an expression came to, as a person reads it. */
  public static String of(Outcome outcome) {
    if (outcome instanceof Failure failure) {
      return "error: " + failure.message();
    } else if (outcome instanceof Unknown unknown) {
      return "unknown: " + unknown.description();
    }
    return of((RulesValue) outcome, 0);
  }

  private static String of(RulesValue value, int level) {
    if (value instanceof StringValue text) {
      return quote(text.value());
    } else if (value instanceof IntValue number) {
      return Long.toString(number.value());
    } else if (value instanceof FloatValue number) {
      return Double.toString(number.value());
    } else if (value instanceof TimestampValue time) {
      return "timestamp " + time.value();
    } else if (value instanceof RulesValue.DurationValue duration) {
      return "duration " + duration.value();
    } else if (value instanceof PathValue path) {
      return path.text();
    } else if (value instanceof BytesValue bytes) {
      return bytes.value().size() + " bytes";
    } else if (value instanceof LatLngValue place) {
      return "latlng " + place.latitude() + ", " + place.longitude();
    } else if (value instanceof ListValue list) {
      return elements("[", list.elements(), "]", level);
    } else if (value instanceof SetValue set) {
      return elements("set [", set.elements(), "]", level);
    } else if (value instanceof MapValue map) {
      return entries(map, level);
    } else if (value instanceof MapDiffValue) {
      return "map_diff";
    }
    return value instanceof RulesValue.NullValue ? "null" : value.toString();
  }

  private static String elements(
      String open, Collection<RulesValue> elements, String close, int level) {
    if (elements.size() > MOST_ELEMENTS || level >= MOST_LEVELS) {
      return open + elements.size() + " elements" + close;
    }
    return open
        + elements.stream().map(e -> of(e, level + 1)).collect(Collectors.joining(", "))
        + close;
  }

  private static String entries(MapValue map, int level) {
    if (map.entries().size() > MOST_ELEMENTS || level >= MOST_LEVELS) {
      return "{" + map.entries().size() + " entries}";
    }
    return map.entries().keySet().stream()
        .sorted()
        .map(key -> key + ": " + of(map.entries().getOrDefault(key, RulesValue.NULL), level + 1))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quote(String text) {
    String shown =
        text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "…" : text;
    return "'" + shown.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
  }
}
