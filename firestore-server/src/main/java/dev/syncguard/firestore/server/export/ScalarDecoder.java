package dev.syncguard.firestore.server.export;

import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.NullValue;
import com.google.type.LatLng;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.Times;
import java.util.List;
import java.util.Optional;

/** Reads the values that hold no others. */
final class ScalarDecoder {
  private ScalarDecoder() {}

  /** @param project where references lead to; empty for the one that they name themselves */
  static Value decode(int meaning, WireReader content, String project)
      throws InvalidProtocolBufferException {
    Value.Builder value = Value.newBuilder();
    List<WireReader> references = content.groups(EntityFields.VALUE_REFERENCE);
    List<WireReader> points = content.groups(EntityFields.VALUE_POINT);
    if (!references.isEmpty()) {
      return value.setReferenceValue(reference(references.get(0), project)).build();
    }
    if (!points.isEmpty()) {
      return value.setGeoPointValue(point(points.get(0))).build();
    }
    if (content.has(EntityFields.VALUE_INTEGER)) {
      long number = present(content.number(EntityFields.VALUE_INTEGER));
      return meaning == Meaning.TIMESTAMP
          ? value.setTimestampValue(Times.timestamp(number)).build()
          : value.setIntegerValue(number).build();
    }
    if (content.has(EntityFields.VALUE_BOOLEAN)) {
      return value
          .setBooleanValue(present(content.number(EntityFields.VALUE_BOOLEAN)) != 0)
          .build();
    }
    if (content.has(EntityFields.VALUE_DOUBLE)) {
      return value
          .setDoubleValue(present(content.real(EntityFields.VALUE_DOUBLE)))
          .build();
    }
    if (content.has(EntityFields.VALUE_STRING)) {
      ByteString bytes = present(content.bytes(EntityFields.VALUE_STRING));
      boolean binary =
          meaning == Meaning.BYTES || meaning == Meaning.BYTE_STRING || !bytes.isValidUtf8();
      return (binary ? value.setBytesValue(bytes) : value.setStringValue(bytes.toStringUtf8()))
          .build();
    }
    return value.setNullValue(NullValue.NULL_VALUE).build();
  }

  private static String reference(WireReader content, String project)
      throws InvalidProtocolBufferException {
    EntityKey key = EntityKey.readReference(content);
    DatabaseName database =
        new DatabaseName(project.isEmpty() ? key.project() : project, key.database());
    return database.documents() + "/" + key.path();
  }

  private static LatLng point(WireReader content) {
    return LatLng.newBuilder()
        .setLatitude(content.real(EntityFields.POINT_LATITUDE).orElse(0.0))
        .setLongitude(content.real(EntityFields.POINT_LONGITUDE).orElse(0.0))
        .build();
  }

  private static <T> T present(Optional<T> value) throws InvalidProtocolBufferException {
    return value.orElseThrow(
        () -> new InvalidProtocolBufferException("A value is of another type than it says."));
  }
}
