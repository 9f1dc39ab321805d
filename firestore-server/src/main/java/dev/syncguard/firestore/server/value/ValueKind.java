package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;

/** The type of a value, in the order in which values of different types sort. */
public enum ValueKind {
  /** Null, the lowest of all. */
  NULL,
  /** False, then true. */
  BOOLEAN,
  /** Integers and doubles among one another; NaN is the lowest. */
  NUMBER,
  /** Points in time, the earliest first. */
  TIMESTAMP,
  /** Text, by its UTF-8 bytes. */
  STRING,
  /** Bytes, each without sign. */
  BYTES,
  /** Names of documents, by their segments. */
  REFERENCE,
  /** Places, by latitude, then by longitude. */
  GEO_POINT,
  /** Arrays, by their elements in turn. */
  ARRAY,
  /** Vectors, by their length, then by their numbers in turn. */
  VECTOR,
  /** Maps, by their fields in the order of names: first the name, then the value. */
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
