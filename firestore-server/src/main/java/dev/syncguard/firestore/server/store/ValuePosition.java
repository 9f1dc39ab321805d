package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.ValueKind;
import dev.syncguard.firestore.server.value.ValueOrder;
import org.jspecify.annotations.Nullable;

/**
 * A place in the order of values: right before or after one value, or before or after all values of a kind.
 */
public final class ValuePosition {
  private final @Nullable Value value;
  private final ValueKind kind;
  private final int side;

  private ValuePosition(@Nullable Value value, ValueKind kind, int side) {
    this.value = value;
    this.kind = kind;
    this.side = side;
  }

  /** Returns the position right before a value. */
  public static ValuePosition before(Value value) {
    return new ValuePosition(value, ValueKind.of(value), -1);
  }

  /** Returns the position right after a value. */
  public static ValuePosition after(Value value) {
    return new ValuePosition(value, ValueKind.of(value), 1);
  }

  /** Returns the position before all values of a kind. */
  public static ValuePosition before(ValueKind kind) {
    return new ValuePosition(null, kind, -1);
  }

  /** Returns the position after all values of a kind. */
  public static ValuePosition after(ValueKind kind) {
    return new ValuePosition(null, kind, 1);
  }

  /** Returns the later of two positions. */
  public static ValuePosition later(ValuePosition a, ValuePosition b) {
    return a.order(b) >= 0 ? a : b;
  }

  /** Returns the earlier of two positions. */
  public static ValuePosition earlier(ValuePosition a, ValuePosition b) {
    return a.order(b) <= 0 ? a : b;
  }

  /** Returns whether both are the same place. */
  public boolean isSameAs(ValuePosition other) {
    return order(other) == 0;
  }

  /** Returns whether its value or kind comes after this place. */
  boolean isBefore() {
    return side < 0;
  }

  boolean isBesideKind() {
    return value == null;
  }

  /** Writes the value, or where values of the kind start or end. */
  void write(KeyWriter out, boolean inverted) {
    int start = out.size();
    if (value != null) {
      ValueKeys.write(value, out);
    } else {
      // Turned around, the first byte after all of a kind becomes the first byte before them.
      out.put(ValueKeys.mark(kind) + (side > 0 ? 1 : 0) - (inverted ? 1 : 0));
    }
    if (inverted) {
      out.invertFrom(start);
    }
  }

  private int order(ValuePosition other) {
    int byKind = kind.compareTo(other.kind);
    if (byKind != 0) {
      return byKind;
    }
    if (value == null || other.value == null) {
      // Beside all values of the kind, against beside one of them.
      return value == null
          ? (other.value == null ? Integer.compare(side, other.side) : side)
          : -other.side;
    }
    int byValue = ValueOrder.INSTANCE.compare(value, other.value);
    return byValue != 0 ? byValue : Integer.compare(side, other.side);
  }
}
