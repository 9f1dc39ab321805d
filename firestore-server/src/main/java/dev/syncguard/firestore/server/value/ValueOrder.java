package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.type.LatLng;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The total order of Firestore values: first by kind, then within the kind. Numbers that are worth the same are equal,
 * whether integer or double.
 */
public final class ValueOrder implements Comparator<Value> {
  /** The one order there is. */
  public static final ValueOrder INSTANCE = new ValueOrder();

  private ValueOrder() {}

  /** Returns whether both values are of one kind and worth the same. */
  public static boolean equal(Value a, Value b) {
    return INSTANCE.compare(a, b) == 0;
  }

  @Override
  public int compare(Value a, Value b) {
    if (a == b) {
      return 0;
    }
    ValueKind kind = ValueKind.of(a);
    int byKind = kind.compareTo(ValueKind.of(b));
    return byKind != 0 ? byKind : within(kind, a, b);
  }

  private int within(ValueKind kind, Value a, Value b) {
    return switch (kind) {
      case NULL -> 0;
      case BOOLEAN -> Boolean.compare(a.getBooleanValue(), b.getBooleanValue());
      case NUMBER -> Numbers.compare(a, b);
      case TIMESTAMP -> compare(a.getTimestampValue(), b.getTimestampValue());
      case STRING -> Utf8Order.compare(a.getStringValue(), b.getStringValue());
      case BYTES ->
        ByteString.unsignedLexicographicalComparator()
            .compare(a.getBytesValue(), b.getBytesValue());
      case REFERENCE -> PathOrder.comparePaths(a.getReferenceValue(), b.getReferenceValue());
      case GEO_POINT -> compare(a.getGeoPointValue(), b.getGeoPointValue());
      case ARRAY -> compare(a.getArrayValue(), b.getArrayValue());
      case VECTOR -> compareVectors(Vectors.elements(a), Vectors.elements(b));
      case MAP -> compare(a.getMapValue(), b.getMapValue());
    };
  }

  private static int compare(Timestamp a, Timestamp b) {
    int bySeconds = Long.compare(a.getSeconds(), b.getSeconds());
    return bySeconds != 0 ? bySeconds : Integer.compare(a.getNanos(), b.getNanos());
  }

  private static int compare(LatLng a, LatLng b) {
    int byLatitude = compare(a.getLatitude(), b.getLatitude());
    return byLatitude != 0 ? byLatitude : compare(a.getLongitude(), b.getLongitude());
  }

  // A zero has no sign here.
  private static int compare(double a, double b) {
    return a == b ? 0 : Double.compare(a, b);
  }

  private int compare(ArrayValue a, ArrayValue b) {
    int length = Math.min(a.getValuesCount(), b.getValuesCount());
    for (int i = 0; i < length; i++) {
      int byElement = compare(a.getValues(i), b.getValues(i));
      if (byElement != 0) {
        return byElement;
      }
    }
    return Integer.compare(a.getValuesCount(), b.getValuesCount());
  }

  private int compareVectors(ArrayValue a, ArrayValue b) {
    int byDimension = Integer.compare(a.getValuesCount(), b.getValuesCount());
    return byDimension != 0 ? byDimension : compare(a, b);
  }

  private int compare(MapValue a, MapValue b) {
    List<String> left = sortedKeys(a.getFieldsMap());
    List<String> right = sortedKeys(b.getFieldsMap());
    int length = Math.min(left.size(), right.size());
    for (int i = 0; i < length; i++) {
      int byKey = Utf8Order.compare(left.get(i), right.get(i));
      if (byKey != 0) {
        return byKey;
      }
      int byValue = compare(a.getFieldsOrThrow(left.get(i)), b.getFieldsOrThrow(right.get(i)));
      if (byValue != 0) {
        return byValue;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static List<String> sortedKeys(Map<String, Value> fields) {
    return fields.keySet().stream().sorted(Utf8Order::compare).toList();
  }
}
