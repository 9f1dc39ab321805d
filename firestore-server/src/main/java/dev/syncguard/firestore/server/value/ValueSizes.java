package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.Value;
import java.util.Map;

/** The published storage size of values, which the size limits count in. */
public final class ValueSizes {
  private static final int NAME_OVERHEAD = 16;

  private ValueSizes() {}

  /** Returns the size of a document's name: its ids with one byte each, and a fixed part. */
  public static long ofName(String path) {
    long size = NAME_OVERHEAD;
    for (String id : path.split("/", -1)) {
      size += Utf8Order.size(id) + 1;
    }
    return size;
  }

  /** Returns the size of a map's entries. */
  public static long ofFields(Map<String, Value> fields) {
    long size = 0;
    for (Map.Entry<String, Value> field : fields.entrySet()) {
      size += Utf8Order.size(field.getKey()) + 1 + of(field.getValue());
    }
    return size;
  }

  /** Returns the size of one value. */
  public static long of(Value value) {
    return switch (value.getValueTypeCase()) {
      case INTEGER_VALUE, DOUBLE_VALUE, TIMESTAMP_VALUE -> 8;
      case STRING_VALUE -> Utf8Order.size(value.getStringValue()) + 1;
      case BYTES_VALUE -> value.getBytesValue().size();
      case REFERENCE_VALUE -> Utf8Order.size(value.getReferenceValue()) + 1;
      case GEO_POINT_VALUE -> 16;
      case ARRAY_VALUE ->
        value.getArrayValue().getValuesList().stream().mapToLong(ValueSizes::of).sum();
      case MAP_VALUE -> ofFields(value.getMapValue().getFieldsMap());
      default -> 1;
    };
  }
}
