package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;

/** Vectors, which travel as maps with a marked type. */
public final class Vectors {
  private static final String TYPE_KEY = "__type__";
  private static final String TYPE = "__vector__";
  private static final String VALUE_KEY = "value";

  private Vectors() {}

  /** Returns whether the value is a map that stands for a vector. */
  public static boolean isVector(Value value) {
    if (!value.hasMapValue()) {
      return false;
    }
    Value type = value.getMapValue().getFieldsMap().get(TYPE_KEY);
    return type != null && type.getStringValue().equals(TYPE);
  }

  /** Returns the vector of numbers. */
  public static Value of(ArrayValue elements) {
    return Value.newBuilder()
        .setMapValue(MapValue.newBuilder()
            .putFields(TYPE_KEY, Value.newBuilder().setStringValue(TYPE).build())
            .putFields(VALUE_KEY, Value.newBuilder().setArrayValue(elements).build()))
        .build();
  }

  /** Returns the elements of a vector. */
  public static ArrayValue elements(Value vector) {
    return vector
        .getMapValue()
        .getFieldsOrDefault(VALUE_KEY, Value.getDefaultInstance())
        .getArrayValue();
  }

  /** Returns the elements of a vector as numbers. */
  public static double[] numbers(Value vector) {
    return elements(vector).getValuesList().stream()
        .mapToDouble(Numbers::toDouble)
        .toArray();
  }
}
