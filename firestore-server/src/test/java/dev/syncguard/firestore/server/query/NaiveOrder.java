package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Value;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order of Firestore's values, told once more in the plainest way, to compare the server's with. */
public final class NaiveOrder {
  private NaiveOrder() {}

  /** Compares two values. */
  public static int compare(Value a, Value b) {
    int byRank = Integer.compare(rank(a), rank(b));
    if (byRank != 0) {
      return byRank;
    }
    return switch (a.getValueTypeCase()) {
      case BOOLEAN_VALUE -> Boolean.compare(a.getBooleanValue(), b.getBooleanValue());
      case INTEGER_VALUE, DOUBLE_VALUE -> numbers(a, b);
      case TIMESTAMP_VALUE -> {
        int seconds = Long.compare(
            a.getTimestampValue().getSeconds(), b.getTimestampValue().getSeconds());
        yield seconds != 0
            ? seconds
            : Integer.compare(
                a.getTimestampValue().getNanos(), b.getTimestampValue().getNanos());
      }
      case STRING_VALUE -> text(a.getStringValue(), b.getStringValue());
      case BYTES_VALUE ->
        Arrays.compareUnsigned(
            a.getBytesValue().toByteArray(), b.getBytesValue().toByteArray());
      case REFERENCE_VALUE -> names(a.getReferenceValue(), b.getReferenceValue());
      case GEO_POINT_VALUE -> {
        int latitude = Double.compare(
            a.getGeoPointValue().getLatitude(), b.getGeoPointValue().getLatitude());
        yield latitude != 0
            ? latitude
            : Double.compare(
                a.getGeoPointValue().getLongitude(), b.getGeoPointValue().getLongitude());
      }
      case ARRAY_VALUE ->
        lists(a.getArrayValue().getValuesList(), b.getArrayValue().getValuesList());
      case MAP_VALUE -> isVector(a) ? vectors(a, b) : maps(a, b);
      default -> 0; // null
    };
  }

  static int rank(Value value) {
    return switch (value.getValueTypeCase()) {
      case VALUETYPE_NOT_SET -> -1;
      case NULL_VALUE -> 0;
      case BOOLEAN_VALUE -> 1;
      case INTEGER_VALUE, DOUBLE_VALUE -> 2;
      case TIMESTAMP_VALUE -> 3;
      case STRING_VALUE -> 4;
      case BYTES_VALUE -> 5;
      case REFERENCE_VALUE -> 6;
      case GEO_POINT_VALUE -> 7;
      case ARRAY_VALUE -> 8;
      case MAP_VALUE -> isVector(value) ? 9 : 10;
      default -> throw new IllegalArgumentException("No stored value is a " + value);
    };
  }

  private static int numbers(Value a, Value b) {
    if (isSpecial(a) || isSpecial(b)) {
      return Double.compare(special(a), special(b));
    }
    return exact(a).compareTo(exact(b));
  }

  private static boolean isSpecial(Value value) {
    return value.hasDoubleValue() && !Double.isFinite(value.getDoubleValue());
  }

  // NaN is the least number; among infinities every finite one is as good as zero.
  private static double special(Value value) {
    if (!isSpecial(value)) {
      return 0;
    }
    return Double.isNaN(value.getDoubleValue())
        ? Double.NEGATIVE_INFINITY
        : Math.copySign(1, value.getDoubleValue());
  }

  private static BigDecimal exact(Value value) {
    return value.hasIntegerValue()
        ? BigDecimal.valueOf(value.getIntegerValue())
        : new BigDecimal(value.getDoubleValue());
  }

  private static int text(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  /** Compares two names or paths. */
  public static int names(String a, String b) {
    String[] left = a.split("/", -1);
    String[] right = b.split("/", -1);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      int byId = ids(left[i], right[i]);
      if (byId != 0) {
        return byId;
      }
    }
    return Integer.compare(left.length, right.length);
  }

  // Numeric ids come first, as numbers.
  private static int ids(String a, String b) {
    boolean numericA = a.matches("__id-?\\d+__");
    boolean numericB = b.matches("__id-?\\d+__");
    if (numericA && numericB) {
      return Long.compare(number(a), number(b));
    }
    return numericA != numericB ? (numericA ? -1 : 1) : text(a, b);
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(4, id.length() - 2));
  }

  private static int lists(List<Value> a, List<Value> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int byElement = compare(a.get(i), b.get(i));
      if (byElement != 0) {
        return byElement;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static boolean isVector(Value value) {
    Value type = value.getMapValue().getFieldsMap().get("__type__");
    return type != null && type.getStringValue().equals("__vector__");
  }

  private static int vectors(Value a, Value b) {
    List<Value> left = elements(a);
    List<Value> right = elements(b);
    int byDimension = Integer.compare(left.size(), right.size());
    return byDimension != 0 ? byDimension : lists(left, right);
  }

  private static List<Value> elements(Value vector) {
    return vector.getMapValue().getFieldsOrThrow("value").getArrayValue().getValuesList();
  }

  private static int maps(Value a, Value b) {
    List<Map.Entry<String, Value>> left = sorted(a);
    List<Map.Entry<String, Value>> right = sorted(b);
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int byKey = text(left.get(i).getKey(), right.get(i).getKey());
      if (byKey != 0) {
        return byKey;
      }
      int byValue = compare(left.get(i).getValue(), right.get(i).getValue());
      if (byValue != 0) {
        return byValue;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static List<Map.Entry<String, Value>> sorted(Value map) {
    TreeMap<String, Value> sorted = new TreeMap<>(NaiveOrder::text);
    sorted.putAll(map.getMapValue().getFieldsMap());
    return new ArrayList<>(sorted.entrySet());
  }
}
