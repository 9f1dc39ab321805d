package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;

/** The type of a value, in the order in which values of different types sort. */
public enum ValueKind {
  NULL,
  BOOLEAN,
  NUMBER,
  TIMESTAMP,
  STRING,
  BYTES,
  REFERENCE,
  GEO_POINT,
  ARRAY,
  VECTOR,
  MAP;

  /** Returns the kind of a value; a value that says nothing is a null. */
  public static ValueKind of(Value value) {
    return switch (value.getValueTypeCase()) {
      case NULL_VALUE, VALUETYPE_NOT_SET -> NULL;
      case BOOLEAN_VALUE -> BOOLEAN;
      case INTEGER_VALUE, DOUBLE_VALUE -> NUMBER;
      case TIMESTAMP_VALUE -> TIMESTAMP;
      case STRING_VALUE -> STRING;
      case BYTES_VALUE -> BYTES;
      case REFERENCE_VALUE -> REFERENCE;
      case GEO_POINT_VALUE -> GEO_POINT;
      case ARRAY_VALUE -> ARRAY;
      case MAP_VALUE -> Vectors.isVector(value) ? VECTOR : MAP;
      default ->
        throw FirestoreServerException.invalid("Values of type " + value.getValueTypeCase()
            + " belong to pipelines and cannot be stored.");
    };
  }
}
