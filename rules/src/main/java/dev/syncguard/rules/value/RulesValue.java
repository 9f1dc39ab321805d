package dev.syncguard.rules.value;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A value in security rules. {@code equals} is the equality of elements inside of lists, maps and sets, where an int never
 * equals a float. Threads may share all of them.
 */
public sealed interface RulesValue extends Outcome {
  /** The value {@code true}. */
  BoolValue TRUE = new BoolValue(true);
  /** The value {@code false}. */
  BoolValue FALSE = new BoolValue(false);
  /** The value {@code null}. */
  NullValue NULL = new NullValue();

  /** Returns the type, as {@code is} tells it. */
  ValueType type();

  /** Returns the weight of a value that contains others. */
  private static long weight(Collection<? extends RulesValue> parts) {
    long sum = 1;
    for (RulesValue part : parts) {
      sum = Math.min(Long.MAX_VALUE / 2, sum + part.weight());
    }
    return sum;
  }

  /** Returns the value for a truth. */
  static BoolValue of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Returns the value for a whole number. */
  static IntValue of(long value) {
    return new IntValue(value);
  }

  /** Returns the value for a floating-point number. */
  static FloatValue of(double value) {
    return new FloatValue(value);
  }

  /** Returns the value for a text. */
  static StringValue of(String value) {
    return new StringValue(value);
  }

  /** Returns the value for a map. */
  static MapValue map(Map<String, RulesValue> entries) {
    return new MapValue(entries, 1L + entries.size());
  }

  /** Returns the value for a list. */
  static ListValue list(List<? extends RulesValue> elements) {
    return new ListValue(List.copyOf(elements));
  }

  /** The absence of a value, which is a value. */
  record NullValue() implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.NULL;
    }
  }

  /** Only {@link #TRUE} and {@link #FALSE} exist. */
  final class BoolValue implements RulesValue {
    private final boolean value;

    private BoolValue(boolean value) {
      this.value = value;
    }

    /** Returns the truth itself. */
    public boolean value() {
      return value;
    }

    @Override
    public ValueType type() {
      return ValueType.BOOL;
    }

    @Override
    public String toString() {
      return Boolean.toString(value);
    }
  }

  /** A whole number. */
  record IntValue(long value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.INT;
    }
  }

  /** A number with a fraction, infinity, or not a number at all. */
  record FloatValue(double value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.FLOAT;
    }
  }

  /** A text, counted in UTF-16 units. */
  record StringValue(String value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.STRING;
    }
  }

  /** A sequence of bytes. */
  record BytesValue(ByteString value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.BYTES;
    }
  }

  /** A point in time. */
  record TimestampValue(Instant value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.TIMESTAMP;
    }
  }

  /** A length of time. */
  record DurationValue(Duration value) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.DURATION;
    }
  }

  /** A place on earth, in degrees. */
  record LatLngValue(double latitude, double longitude) implements RulesValue {
    @Override
    public ValueType type() {
      return ValueType.LATLNG;
    }
  }

  /** The way to a document or collection, from {@code /databases} on. */
  record PathValue(List<String> segments) implements RulesValue {
    public PathValue {
      segments = List.copyOf(segments);
    }

    @Override
    public ValueType type() {
      return ValueType.PATH;
    }

    /** Returns the path with a slash before each segment. */
    public String text() {
      return "/" + String.join("/", segments);
    }
  }

  /** Values in an order. */
  record ListValue(List<RulesValue> elements, long weight) implements RulesValue {
    ListValue(List<RulesValue> elements) {
      this(elements, RulesValue.weight(elements));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ListValue list && elements.equals(list.elements);
    }

    @Override
    public int hashCode() {
      return elements.hashCode();
    }

    @Override
    public ValueType type() {
      return ValueType.LIST;
    }
  }

  /**
   * Values by name. The map is not copied, so that a large document costs only what is read of it. For the same reason its
   * weight is only that of its keys, unless it was made by an expression.
   */
  record MapValue(Map<String, RulesValue> entries, long weight) implements RulesValue {
    /** Returns a map that an expression made. */
    public static MapValue made(Map<String, RulesValue> entries) {
      return new MapValue(entries, RulesValue.weight(entries.values()));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof MapValue map && entries.equals(map.entries);
    }

    @Override
    public int hashCode() {
      return entries.hashCode();
    }

    @Override
    public ValueType type() {
      return ValueType.MAP;
    }
  }

  /** Values, each once, in the order in which they came. */
  record SetValue(Set<RulesValue> elements) implements RulesValue {
    public SetValue {
      elements = Collections.unmodifiableSet(new LinkedHashSet<>(elements));
    }

    @Override
    public long weight() {
      return RulesValue.weight(elements);
    }

    @Override
    public ValueType type() {
      return ValueType.SET;
    }
  }

  /** What has to be done to the second map to get the first. */
  record MapDiffValue(MapValue newer, MapValue older) implements RulesValue {
    @Override
    public long weight() {
      return newer.weight() + older.weight();
    }

    @Override
    public ValueType type() {
      return ValueType.MAP_DIFF;
    }
  }
}
