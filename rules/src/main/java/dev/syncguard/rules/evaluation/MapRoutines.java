package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.MapDiffValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.SetValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The methods of maps and of the differences between them. Keys always come in the same order. */
final class MapRoutines {
  private MapRoutines() {}

  static Map<String, Routine> mapMethods() {
    return new Routines()
        .one(
            "size",
            MapValue.class,
            ValueType.MAP,
            m -> RulesValue.of(m.entries().size()))
        .one(
            "keys",
            MapValue.class,
            ValueType.MAP,
            m -> RulesValue.list(keys(m).stream().map(RulesValue::of).toList()))
        .one(
            "values",
            MapValue.class,
            ValueType.MAP,
            m -> RulesValue.list(keys(m).stream().map(key -> value(m, key)).toList()))
        .two("diff", MapValue.class, ValueType.MAP, MapDiffValue::new)
        .add("get", 3, MapRoutines::get)
        .build();
  }

  static Map<String, Routine> diffMethods() {
    return new Routines()
        .one(
            "addedKeys",
            MapDiffValue.class,
            ValueType.MAP_DIFF,
            d -> keysWhere(d, key -> !has(d.older(), key)))
        .one(
            "removedKeys",
            MapDiffValue.class,
            ValueType.MAP_DIFF,
            d -> keysWhere(d, key -> !has(d.newer(), key)))
        .one(
            "changedKeys",
            MapDiffValue.class,
            ValueType.MAP_DIFF,
            d -> keysWhere(d, key -> inBoth(d, key) && !isSame(d, key)))
        .one(
            "unchangedKeys",
            MapDiffValue.class,
            ValueType.MAP_DIFF,
            d -> keysWhere(d, key -> inBoth(d, key) && isSame(d, key)))
        .one(
            "affectedKeys",
            MapDiffValue.class,
            ValueType.MAP_DIFF,
            d -> keysWhere(d, key -> !inBoth(d, key) || !isSame(d, key)))
        .build();
  }

  private static Set<String> keys(MapValue map) {
    return new TreeSet<>(map.entries().keySet());
  }

  private static RulesValue value(MapValue map, String key) {
    return map.entries().getOrDefault(key, RulesValue.NULL);
  }

  /** Follows one key, or a list of keys each of which leads one map deeper. */
  private static Outcome get(List<RulesValue> arguments) {
    List<RulesValue> way =
        arguments.get(1) instanceof ListValue list ? list.elements() : List.of(arguments.get(1));
    RulesValue at = arguments.get(0);
    for (RulesValue step : way) {
      if (!(step instanceof StringValue key)) {
        return Failure.type(step, ValueType.STRING);
      }
      if (!(at instanceof MapValue map)) {
        return Failure.type(at, ValueType.MAP);
      }
      RulesValue next = map.entries().get(key.value());
      if (next == null) {
        return arguments.get(2);
      }
      at = next;
    }
    return at;
  }

  private static Outcome keysWhere(MapDiffValue diff, Predicate<String> wanted) {
    Set<RulesValue> found = new LinkedHashSet<>();
    Stream.concat(
            diff.newer().entries().keySet().stream(), diff.older().entries().keySet().stream())
        .distinct()
        .sorted()
        .filter(wanted)
        .forEach(key -> found.add(RulesValue.of(key)));
    return new SetValue(found);
  }

  private static boolean has(MapValue map, String key) {
    return map.entries().containsKey(key);
  }

  private static boolean inBoth(MapDiffValue diff, String key) {
    return has(diff.newer(), key) && has(diff.older(), key);
  }

  private static boolean isSame(MapDiffValue diff, String key) {
    return value(diff.newer(), key).equals(value(diff.older(), key));
  }
}
