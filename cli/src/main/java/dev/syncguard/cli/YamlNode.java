package dev.syncguard.cli;

import dev.syncguard.rules.RulesValues;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a YAML file that knows what to call itself when it is wrong.
 *
 * @param place what it is called
 */
record YamlNode(String place, @Nullable Object value) {

  boolean has(String key) {
    return value instanceof Map<?, ?> map && map.get(key) != null;
  }

  YamlNode get(String key) {
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong("must be a map");
    }
    Object found = map.get(key);
    if (found == null) {
      throw wrong("lacks " + key);
    }
    return new YamlNode(place + ", " + key, found);
  }

  List<YamlNode> elements() {
    if (!(value instanceof List<?> list)) {
      throw wrong("must be a list");
    }
    List<YamlNode> nodes = new ArrayList<>();
    list.forEach(element -> nodes.add(new YamlNode(place + " " + (nodes.size() + 1), element)));
    return nodes;
  }

  String text() {
    if (!(value instanceof String text)) {
      throw wrong("must be a text");
    }
    return text;
  }

  long number() {
    if (!(value instanceof Integer) && !(value instanceof Long)) {
      throw wrong("must be a whole number");
    }
    return ((Number) value).longValue();
  }

  RulesValue.MapValue fields() {
    if (!(rulesValue(value) instanceof RulesValue.MapValue map)) {
      throw wrong("must be a map");
    }
    return map;
  }

  RulesValue rulesValue() {
    return rulesValue(value);
  }

  /** YAML has times of its own: written without quotes, they are timestamps. */
  private RulesValue rulesValue(@Nullable Object yaml) {
    if (yaml instanceof Date date) {
      return new TimestampValue(date.toInstant());
    } else if (yaml instanceof Map<?, ?> map) {
      Map<String, RulesValue> entries = new HashMap<>();
      map.forEach((key, entry) -> entries.put(String.valueOf(key), rulesValue(entry)));
      return RulesValue.map(entries);
    } else if (yaml instanceof Collection<?> list) {
      return RulesValue.list(list.stream().map(this::rulesValue).toList());
    } else if (yaml instanceof BigInteger) {
      throw wrong("holds a number that does not fit into 64 bits");
    }
    return RulesValues.ofJson(yaml);
  }

  RulesTestFile.Unreadable wrong(String what) {
    return new RulesTestFile.Unreadable("In " + place + ": it " + what);
  }
}
