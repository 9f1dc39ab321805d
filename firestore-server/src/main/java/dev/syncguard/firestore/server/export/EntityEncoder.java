package dev.syncguard.firestore.server.export;

import static dev.syncguard.firestore.server.export.EntityFields.ENTITY_GROUP;
import static dev.syncguard.firestore.server.export.EntityFields.INDEXED;
import static dev.syncguard.firestore.server.export.EntityFields.KEY;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_MEANING;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_MULTIPLE;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_NAME;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_VALUE;
import static dev.syncguard.firestore.server.export.EntityFields.UNINDEXED;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Turns a document into the entity that an export has of it. Empty arrays come first, as indexed properties, and all else as
 * properties without an index: an array or a vector is a property for each element, a map an entity inside of a text.
 */
final class EntityEncoder {
  private EntityEncoder() {}

  static byte[] encode(Document document) {
    DocumentName name = DocumentName.parse(document.getName());
    EntityKey key =
        new EntityKey(name.database().project(), name.database().database(), name.path());
    return WireWriter.message(entity -> {
      entity.nested(KEY, key::writeTo);
      writeFields(entity, document.getFieldsMap());
      entity.nested(ENTITY_GROUP, key::writeGroupTo);
    });
  }

  private static void writeFields(WireWriter entity, Map<String, Value> fields) {
    fields.forEach((name, value) -> {
      if (isEmptyArray(value)) {
        write(entity, INDEXED, name, Meaning.EMPTY_LIST, false, content -> {});
      }
    });
    fields.forEach((name, value) -> {
      if (value.hasArrayValue()) {
        value.getArrayValue().getValuesList().forEach(each -> write(entity, name, true, each));
      } else if (Vectors.isVector(value)) {
        Vectors.elements(value)
            .getValuesList()
            .forEach(each -> write(
                entity, UNINDEXED, name, Meaning.VECTOR, true, content -> write(content, each)));
      } else {
        write(entity, name, false, value);
      }
    });
  }

  private static boolean isEmptyArray(Value value) {
    return value.hasArrayValue() && value.getArrayValue().getValuesCount() == 0;
  }

  private static void write(WireWriter entity, String name, boolean multiple, Value value) {
    write(entity, UNINDEXED, name, meaning(value), multiple, content -> write(content, value));
  }

  private static void write(
      WireWriter entity,
      int field,
      String name,
      int meaning,
      boolean multiple,
      Consumer<WireWriter> value) {
    entity.nested(field, property -> {
      if (meaning != Meaning.NONE) {
        property.number(PROPERTY_MEANING, meaning);
      }
      property
          .text(PROPERTY_NAME, name)
          .flag(PROPERTY_MULTIPLE, multiple)
          .nested(PROPERTY_VALUE, value);
    });
  }

  private static int meaning(Value value) {
    return switch (value.getValueTypeCase()) {
      case TIMESTAMP_VALUE -> Meaning.TIMESTAMP;
      case GEO_POINT_VALUE -> Meaning.GEO_POINT;
      case BYTES_VALUE -> Meaning.BYTES;
      case MAP_VALUE -> Meaning.ENTITY;
      default -> Meaning.NONE;
    };
  }

  private static void write(WireWriter out, Value value) {
    switch (value.getValueTypeCase()) {
      case INTEGER_VALUE -> out.number(EntityFields.VALUE_INTEGER, value.getIntegerValue());
      case BOOLEAN_VALUE -> out.flag(EntityFields.VALUE_BOOLEAN, value.getBooleanValue());
      case STRING_VALUE -> out.text(EntityFields.VALUE_STRING, value.getStringValue());
      case BYTES_VALUE -> out.bytes(EntityFields.VALUE_STRING, value.getBytesValue());
      case DOUBLE_VALUE -> out.real(EntityFields.VALUE_DOUBLE, value.getDoubleValue());
      case TIMESTAMP_VALUE ->
        out.number(EntityFields.VALUE_INTEGER, Times.micros(value.getTimestampValue()));
      case GEO_POINT_VALUE ->
        out.group(
            EntityFields.VALUE_POINT,
            point -> point
                .real(EntityFields.POINT_LATITUDE, value.getGeoPointValue().getLatitude())
                .real(EntityFields.POINT_LONGITUDE, value.getGeoPointValue().getLongitude()));
      case REFERENCE_VALUE -> {
        DocumentName name = DocumentName.parse(value.getReferenceValue());
        EntityKey key =
            new EntityKey(name.database().project(), name.database().database(), name.path());
        out.group(EntityFields.VALUE_REFERENCE, key::writeReferenceTo);
      }
      case MAP_VALUE -> out.nested(EntityFields.VALUE_STRING, entity -> writeMap(entity, value));
      default -> {} // null has no value at all
    }
  }

  private static void writeMap(WireWriter entity, Value value) {
    entity.nested(KEY, EntityEncoder::writeNoKey);
    writeFields(entity, value.getMapValue().getFieldsMap());
    entity.nested(ENTITY_GROUP, group -> {});
  }

  /** The key of what has none: an empty project and an empty path. */
  private static void writeNoKey(WireWriter key) {
    key.text(13, "").nested(14, path -> {});
  }
}
