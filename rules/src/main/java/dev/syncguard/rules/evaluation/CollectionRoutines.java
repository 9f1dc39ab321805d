package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.SetValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The methods of lists and sets. */
final class CollectionRoutines {
  private CollectionRoutines() {}

  static Map<String, Routine> listMethods() {
    return shared()
        .one(
            "size",
            ListValue.class,
            ValueType.LIST,
            l -> RulesValue.of(l.elements().size()))
        .one(
            "toSet",
            ListValue.class,
            ValueType.LIST,
            l -> new SetValue(new LinkedHashSet<>(l.elements())))
        .two("concat", ListValue.class, ValueType.LIST, (l, other) -> {
          List<RulesValue> all = new ArrayList<>(l.elements());
          all.addAll(other.elements());
          return RulesValue.list(all);
        })
        .two("removeAll", ListValue.class, ValueType.LIST, (l, other) -> {
          Set<RulesValue> removed = new HashSet<>(other.elements());
          return RulesValue.list(
              l.elements().stream().filter(e -> !removed.contains(e)).toList());
        })
        .add("join", 2, CollectionRoutines::join)
        .build();
  }

  static Map<String, Routine> setMethods() {
    return shared()
        .one(
            "size",
            SetValue.class,
            ValueType.SET,
            s -> RulesValue.of(s.elements().size()))
        .two("union", SetValue.class, ValueType.SET, (s, other) -> {
          Set<RulesValue> all = new LinkedHashSet<>(s.elements());
          all.addAll(other.elements());
          return new SetValue(all);
        })
        .two("intersection", SetValue.class, ValueType.SET, (s, other) -> {
          Set<RulesValue> all = new LinkedHashSet<>(s.elements());
          all.retainAll(other.elements());
          return new SetValue(all);
        })
        .two("difference", SetValue.class, ValueType.SET, (s, other) -> {
          Set<RulesValue> all = new LinkedHashSet<>(s.elements());
          all.removeAll(other.elements());
          return new SetValue(all);
        })
        .build();
  }

  private static Routines shared() {
    return new Routines()
        .add("hasAll", 2, comparing((mine, others) -> new HashSet<>(mine).containsAll(others)))
        .add("hasOnly", 2, comparing((mine, others) -> new HashSet<>(others).containsAll(mine)))
        .add("hasAny", 2, comparing((mine, others) -> {
          Set<RulesValue> wanted = new HashSet<>(others);
          return mine.stream().anyMatch(wanted::contains);
        }));
  }

  private static Routine.Body comparing(
      BiFunction<Collection<RulesValue>, Collection<RulesValue>, Boolean> answer) {
    return arguments -> {
      Collection<RulesValue> mine = elements(arguments.get(0));
      Collection<RulesValue> others = elements(arguments.get(1));
      return mine == null || others == null
          ? Failure.type(arguments.get(1), ValueType.LIST, ValueType.SET)
          : RulesValue.of(answer.apply(mine, others).booleanValue());
    };
  }

  private static @Nullable Collection<RulesValue> elements(RulesValue value) {
    if (value instanceof ListValue list) {
      return list.elements();
    }
    return value instanceof SetValue set ? set.elements() : null;
  }

  private static Outcome join(List<RulesValue> arguments) {
    List<String> parts = new ArrayList<>();
    long length = 0;
    for (RulesValue element : ((ListValue) arguments.get(0)).elements()) {
      Outcome part = Conversions.string(element);
      if (!(part instanceof StringValue text)) {
        return part;
      }
      parts.add(text.value());
      length += text.value().length();
    }
    if (!(arguments.get(1) instanceof StringValue separator)) {
      return Failure.type(arguments.get(1), ValueType.STRING);
    }
    return length + (long) separator.value().length() * parts.size() > Operators.LONGEST_TEXT
        ? Operators.tooLong()
        : RulesValue.of(String.join(separator.value(), parts));
  }
}
