package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.value.Utf8Order;
import dev.syncguard.firestore.server.value.ValueKind;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Values as parts of keys. No value's bytes are the beginning of another's, unless 0xFF comes next there. */
final class ValueKeys {
  /** The first kind's mark, above all that structures keys. */
  private static final int FIRST_KIND = 0x10;

  private static final int MAX_KEY = 256;
  /** Vectors differ in their first numbers; those that do not are told apart as all long values are. */
  private static final int VECTOR_NUMBERS = 4;

  private static final int FIELD = 2;
  /** From here on not every integer is a double. */
  private static final double EXACT = 0x1p53;

  private ValueKeys() {}

  /** Returns the byte that all values of the kind start with. */
  @SuppressWarnings("EnumOrdinal") // kinds stand in the order in which they sort
  static int mark(ValueKind kind) {
    return FIRST_KIND + kind.ordinal();
  }

  /** Returns bytes that are the same for equal values. Very long values that begin alike may share them. */
  static ByteString key(Value value) {
    KeyWriter out = new KeyWriter().limit(MAX_KEY);
    write(value, out);
    return ByteString.copyFrom(out.toBytes());
  }

  static void write(Value value, KeyWriter out) {
    ValueKind kind = ValueKind.of(value);
    out.put(mark(kind));
    switch (kind) {
      case NULL -> {}
      case BOOLEAN -> out.put(value.getBooleanValue() ? 1 : 0);
      case NUMBER -> writeNumber(value, out);
      case TIMESTAMP -> writeTime(value.getTimestampValue(), out);
      case STRING -> out.text(value.getStringValue());
      case BYTES -> out.blob(value.getBytesValue());
      case REFERENCE -> out.path(value.getReferenceValue()).put(KeyWriter.END);
      case GEO_POINT -> {
        writeDouble(value.getGeoPointValue().getLatitude(), out);
        writeDouble(value.getGeoPointValue().getLongitude(), out);
      }
      case ARRAY -> {
        writeAll(value.getArrayValue().getValuesList(), out);
        out.put(KeyWriter.END);
      }
      case VECTOR -> {
        ArrayValue numbers = Vectors.elements(value);
        out.putInt(numbers.getValuesCount());
        writeAll(numbers.getValuesList().stream().limit(VECTOR_NUMBERS).toList(), out);
        if (numbers.getValuesCount() > VECTOR_NUMBERS) {
          out.cut();
        }
      }
      case MAP -> writeMap(value.getMapValue(), out);
    }
  }

  private static void writeAll(List<Value> values, KeyWriter out) {
    values.forEach(value -> write(value, out));
  }

  private static void writeMap(MapValue map, KeyWriter out) {
    Map<String, Value> sorted = new TreeMap<>(Utf8Order::compare);
    sorted.putAll(map.getFieldsMap());
    sorted.forEach((key, value) -> write(value, out.put(FIELD).text(key)));
    out.put(KeyWriter.END);
  }

  private static void writeTime(Timestamp time, KeyWriter out) {
    out.putSigned(time.getSeconds()).putInt(time.getNanos());
  }

  // The nearest double, and where that may be another number than the integer, by how much.
  private static void writeNumber(Value value, KeyWriter out) {
    double nearest = value.hasIntegerValue() ? value.getIntegerValue() : value.getDoubleValue();
    if (Double.isNaN(nearest)) {
      out.putLong(0); // before all other numbers
      return;
    }
    writeDouble(nearest, out);
    if (Math.abs(nearest) >= EXACT) {
      long above = value.hasIntegerValue() ? distance(value.getIntegerValue(), nearest) : 0;
      out.put((int) (above + 0x8000) >>> 8).put((int) above);
    }
  }

  // The double above the highest long is one more than that long.
  private static long distance(long value, double nearest) {
    return nearest == 0x1p63 ? value - Long.MAX_VALUE - 1 : value - (long) nearest;
  }

  private static void writeDouble(double value, KeyWriter out) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value); // a zero has no sign here
    out.putLong(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
  }
}
