package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.NullValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.Unknown;
import dev.syncguard.rules.value.ValueType;
import java.util.List;

/** Reads a part of a value: by name, by index, by range. */
final class MemberAccess {
  private MemberAccess() {}

  static Outcome member(Outcome object, String name) {
    if (object instanceof Failure) {
      return object;
    } else if (object instanceof Unknown unknown) {
      return unknown.member(name);
    } else if (object instanceof MapValue map) {
      RulesValue value = map.entries().get(name);
      return value == null ? Failure.undefined(name) : value;
    } else if (object instanceof NullValue) {
      return Failure.nullValue();
    }
    return Failure.type((RulesValue) object, ValueType.MAP, ValueType.PATH);
  }

  static Outcome index(Outcome object, Outcome index) {
    if (object instanceof Failure) {
      return object;
    } else if (!(index instanceof RulesValue key)) {
      return index instanceof Unknown unknown ? unknown.opaque() : index;
    } else if (index instanceof StringValue name) {
      return member(object, name.value());
    } else if (object instanceof Unknown unknown) {
      return unknown.opaque();
    } else if (object instanceof NullValue) {
      return Failure.nullValue();
    } else if (!(index instanceof IntValue number)) {
      return Failure.type(key, ValueType.INT, ValueType.STRING);
    } else if (object instanceof ListValue list) {
      return isWithin(number, list.elements().size())
          ? list.elements().get((int) number.value())
          : outOfRange();
    } else if (object instanceof PathValue path) {
      return isWithin(number, path.segments().size())
          ? RulesValue.of(path.segments().get((int) number.value()))
          : outOfRange();
    } else if (object instanceof StringValue text) {
      return isWithin(number, text.value().length())
          ? RulesValue.of(String.valueOf(text.value().charAt((int) number.value())))
          : outOfRange();
    }
    return Failure.type(
        (RulesValue) object, ValueType.LIST, ValueType.MAP, ValueType.PATH, ValueType.STRING);
  }

  static Outcome slice(Outcome object, Outcome from, Outcome to) {
    for (Outcome part : List.of(object, from, to)) {
      if (!(part instanceof RulesValue)) {
        return part;
      }
    }
    if (!(from instanceof IntValue first)) {
      return Failure.type((RulesValue) from, ValueType.INT);
    } else if (!(to instanceof IntValue end)) {
      return Failure.type((RulesValue) to, ValueType.INT);
    } else if (object instanceof ListValue list) {
      return isRange(first, end, list.elements().size())
          ? RulesValue.list(list.elements().subList((int) first.value(), (int) end.value()))
          : outOfRange();
    } else if (object instanceof StringValue text) {
      return isRange(first, end, text.value().length())
          ? RulesValue.of(text.value().substring((int) first.value(), (int) end.value()))
          : outOfRange();
    }
    return Failure.type((RulesValue) object, ValueType.LIST, ValueType.STRING);
  }

  private static boolean isWithin(IntValue index, int size) {
    return index.value() >= 0 && index.value() < size;
  }

  private static boolean isRange(IntValue from, IntValue to, int size) {
    return from.value() >= 0 && from.value() <= to.value() && to.value() <= size;
  }

  private static Failure outOfRange() {
    return Failure.because("Index out of range.");
  }
}
