package dev.syncguard.firestore.server.write;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Numbers;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Utf8Order;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the fields that a client sends into the fields that are stored: refuses what breaks a limit, cuts timestamps to
 * microseconds and drops the sign of a zero.
 */
final class StorableValues {
  private static final int MAX_DEPTH = 20;
  private static final int MAX_NAME_BYTES = 1500;
  private static final int MAX_DIMENSION = 2048;

  private final SizeLimits limits;

  StorableValues(SizeLimits limits) {
    this.limits = limits;
  }

  /** Returns the fields as they are stored. */
  Map<String, Value> of(Map<String, Value> fields) {
    return map(fields, 1);
  }

  /** Returns one value as it is stored at the path. */
  Value at(FieldPath path, Value value) {
    return value(value, path.segments().size());
  }

  /** Refuses a path at which nothing could be stored. */
  static void checkPath(FieldPath path) {
    path.segments().forEach(StorableValues::checkName);
    checkDepth(path.segments().size() - 1);
  }

  private Map<String, Value> map(Map<String, Value> fields, int depth) {
    Map<String, Value> stored = new LinkedHashMap<>();
    boolean same = true;
    for (Map.Entry<String, Value> field : fields.entrySet()) {
      checkName(field.getKey());
      Value value = value(field.getValue(), depth);
      same &= isSame(value, field.getValue());
      stored.put(field.getKey(), value);
    }
    return same ? fields : stored;
  }

  private Value value(Value value, int depth) {
    return switch (value.getValueTypeCase()) {
      case DOUBLE_VALUE -> withoutNegativeZero(value);
      case TIMESTAMP_VALUE -> truncated(value);
      case STRING_VALUE -> sized(value, Utf8Order.size(value.getStringValue()));
      case BYTES_VALUE -> sized(value, value.getBytesValue().size());
      case REFERENCE_VALUE -> reference(value);
      case GEO_POINT_VALUE -> geoPoint(value);
      case ARRAY_VALUE -> array(value, depth);
      case MAP_VALUE -> Vectors.isVector(value) ? vector(value) : nested(value, depth);
      case VALUETYPE_NOT_SET -> throw FirestoreServerException.invalid("A value must have a type.");
      case NULL_VALUE, BOOLEAN_VALUE, INTEGER_VALUE -> value;
      default ->
        throw FirestoreServerException.invalid(
            "Values of type " + value.getValueTypeCase() + " cannot be stored.");
    };
  }

  // By identity: equal values are not rebuilt, so this asks whether anything had to be changed.
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Value stored, Value sent) {
    return stored == sent;
  }

  private static Value withoutNegativeZero(Value value) {
    return value.getDoubleValue() == 0.0 && 1 / value.getDoubleValue() < 0
        ? Value.newBuilder().setDoubleValue(0.0).build()
        : value;
  }

  private static Value truncated(Value value) {
    Timestamp time = value.getTimestampValue();
    Times.requireValid(time);
    return Times.isAligned(time)
        ? value
        : Value.newBuilder()
            .setTimestampValue(Times.timestamp(Times.micros(time)))
            .build();
  }

  private Value sized(Value value, int bytes) {
    if (bytes > limits.valueBytes()) {
      throw FirestoreServerException.invalid(
          "A value of " + bytes + " bytes is longer than " + limits.valueBytes() + " bytes.");
    }
    return value;
  }

  private static Value reference(Value value) {
    DocumentName.parse(value.getReferenceValue());
    return value;
  }

  private static Value geoPoint(Value value) {
    double latitude = value.getGeoPointValue().getLatitude();
    double longitude = value.getGeoPointValue().getLongitude();
    if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
      throw FirestoreServerException.invalid(
          "A geo point has a latitude of -90 to 90 and a longitude of -180 to 180 degrees.");
    }
    return value;
  }

  private Value array(Value value, int depth) {
    checkDepth(depth);
    ArrayValue.Builder stored = ArrayValue.newBuilder();
    boolean same = true;
    for (Value element : value.getArrayValue().getValuesList()) {
      if (element.hasArrayValue()) {
        throw FirestoreServerException.invalid("Cannot convert an array value in an array value.");
      }
      if (Vectors.isVector(element)) {
        throw FirestoreServerException.invalid("Cannot convert a vector value in an array value.");
      }
      Value storedElement = value(element, depth + 1);
      same &= isSame(storedElement, element);
      stored.addValues(storedElement);
    }
    return same ? value : Value.newBuilder().setArrayValue(stored).build();
  }

  private Value nested(Value value, int depth) {
    checkDepth(depth);
    Map<String, Value> fields = value.getMapValue().getFieldsMap();
    Map<String, Value> stored = map(fields, depth + 1);
    return stored == fields
        ? value
        : Value.newBuilder()
            .setMapValue(MapValue.newBuilder().putAllFields(stored))
            .build();
  }

  private static Value vector(Value value) {
    Map<String, Value> fields = value.getMapValue().getFieldsMap();
    Value elements = fields.get("value");
    if (elements == null) {
      throw FirestoreServerException.invalid("Vector map is missing key 'value'.");
    }
    if (!elements.hasArrayValue()) {
      throw FirestoreServerException.invalid("Vector value type must be an array.");
    }
    if (fields.size() != 2) {
      throw FirestoreServerException.invalid("Vector value map has extraneous entries.");
    }
    List<Value> numbers = elements.getArrayValue().getValuesList();
    if (numbers.isEmpty()) {
      throw FirestoreServerException.invalid("Cannot have a zero length vector.");
    }
    if (numbers.size() > MAX_DIMENSION) {
      throw FirestoreServerException.invalid(
          "Vectors must be at most " + MAX_DIMENSION + " dimensions.");
    }
    if (!numbers.stream().allMatch(Value::hasDoubleValue)) {
      throw FirestoreServerException.invalid("Vector must only contain values of type 'double'");
    }
    if (numbers.stream().anyMatch(Numbers::isNaN)) {
      throw FirestoreServerException.invalid("Vector cannot contain NaN values.");
    }
    return value;
  }

  private static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw FirestoreServerException.invalid(
          "Property contains an entity that is nested deeper than " + MAX_DEPTH + " levels.");
    }
  }

  private static void checkName(String name) {
    if (name.isEmpty()) {
      throw FirestoreServerException.invalid("A field name must not be empty.");
    }
    if (Utf8Order.size(name) > MAX_NAME_BYTES) {
      throw FirestoreServerException.invalid(
          "The property.name is longer than " + MAX_NAME_BYTES + " bytes.");
    }
    if (name.length() >= 4 && name.startsWith("__") && name.endsWith("__")) {
      throw FirestoreServerException.invalid("field name " + name + " is reserved");
    }
  }
}
