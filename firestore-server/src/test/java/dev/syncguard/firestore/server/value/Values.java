package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import com.google.type.LatLng;
import java.util.List;
import java.util.Map;

/** Short names for values in tests. */
public final class Values {
  private Values() {}

  public static Value nothing() {
    return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
  }

  public static Value of(boolean value) {
    return Value.newBuilder().setBooleanValue(value).build();
  }

  public static Value of(long value) {
    return Value.newBuilder().setIntegerValue(value).build();
  }

  public static Value of(double value) {
    return Value.newBuilder().setDoubleValue(value).build();
  }

  public static Value of(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  public static Value bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Value.newBuilder().setBytesValue(ByteString.copyFrom(bytes)).build();
  }

  public static Value time(long micros) {
    return Value.newBuilder().setTimestampValue(Times.timestamp(micros)).build();
  }

  public static Value reference(String name) {
    return Value.newBuilder().setReferenceValue(name).build();
  }

  public static Value point(double latitude, double longitude) {
    return Value.newBuilder()
        .setGeoPointValue(LatLng.newBuilder().setLatitude(latitude).setLongitude(longitude))
        .build();
  }

  public static Value array(Value... values) {
    return Value.newBuilder()
        .setArrayValue(ArrayValue.newBuilder().addAllValues(List.of(values)))
        .build();
  }

  public static Value map(Map<String, Value> fields) {
    return Value.newBuilder()
        .setMapValue(MapValue.newBuilder().putAllFields(fields))
        .build();
  }

  public static Value vector(double... values) {
    ArrayValue.Builder elements = ArrayValue.newBuilder();
    for (double value : values) {
      elements.addValues(of(value));
    }
    Value array = Value.newBuilder().setArrayValue(elements).build();
    return map(Map.of("__type__", of("__vector__"), "value", array));
  }
}
