package dev.syncguard.firestore.server.export;

import static dev.syncguard.firestore.server.export.EntityFields.INDEXED;
import static dev.syncguard.firestore.server.export.EntityFields.KEY;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_MEANING;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_MULTIPLE;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_NAME;
import static dev.syncguard.firestore.server.export.EntityFields.PROPERTY_VALUE;
import static dev.syncguard.firestore.server.export.EntityFields.UNINDEXED;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Turns the entity of an export back into a document of the project that imports it. */
final class EntityDecoder {
  private static final int MAX_DEPTH = 30;

  private final String project;

  /** @param project into which documents are imported */
  EntityDecoder(String project) {
    this.project = project;
  }

  /** What an entity says: where the document was, and its fields. */
  record Decoded(EntityKey key, Map<String, Value> fields) {}

  Decoded decode(byte[] entity) throws InvalidProtocolBufferException {
    WireReader fields = WireReader.of(ByteString.copyFrom(entity));
    WireReader key = fields
        .nested(KEY)
        .orElseThrow(() -> new InvalidProtocolBufferException("A document has no key."));
    return new Decoded(EntityKey.read(key), fields(fields, 1).getFieldsMap());
  }

  private MapValue fields(WireReader entity, int depth) throws InvalidProtocolBufferException {
    if (depth > MAX_DEPTH) {
      throw new InvalidProtocolBufferException("Maps are nested too deep.");
    }
    Map<String, Value> values = new LinkedHashMap<>();
    Map<String, ArrayValue.Builder> arrays = new LinkedHashMap<>();
    Set<String> vectors = new HashSet<>();
    for (ByteString property : entity.all(INDEXED)) {
      add(WireReader.of(property), depth, true, values, arrays, vectors);
    }
    for (ByteString property : entity.all(UNINDEXED)) {
      add(WireReader.of(property), depth, false, values, arrays, vectors);
    }
    arrays.forEach((name, array) -> values.put(
        name,
        vectors.contains(name)
            ? Vectors.of(array.build())
            : Value.newBuilder().setArrayValue(array).build()));
    return MapValue.newBuilder().putAllFields(values).build();
  }

  private void add(
      WireReader property,
      int depth,
      boolean indexed,
      Map<String, Value> values,
      Map<String, ArrayValue.Builder> arrays,
      Set<String> vectors)
      throws InvalidProtocolBufferException {
    String name = property
        .text(PROPERTY_NAME)
        .orElseThrow(() -> new InvalidProtocolBufferException("A field has no name."));
    int meaning = Math.toIntExact(property.number(PROPERTY_MEANING).orElse(0L));
    if (indexed && meaning == Meaning.BYTES) {
      throw new InvalidProtocolBufferException("A property with meaning BLOB cannot be indexed.");
    }
    boolean multiple = property.number(PROPERTY_MULTIPLE).orElse(0L) != 0;
    if (values.containsKey(name) || (!multiple && arrays.containsKey(name))) {
      throw new InvalidProtocolBufferException("A field is there twice.");
    }
    if (meaning == Meaning.EMPTY_LIST) {
      arrays.computeIfAbsent(name, unused -> ArrayValue.newBuilder());
      return;
    }
    WireReader content = property.nested(PROPERTY_VALUE).orElse(WireReader.of(ByteString.EMPTY));
    Value value = meaning == Meaning.ENTITY
        ? map(content, depth)
        : ScalarDecoder.decode(meaning, content, indexed && depth == 1 ? project : "");
    if (meaning == Meaning.VECTOR) {
      vectors.add(name);
    }
    if (multiple) {
      arrays.computeIfAbsent(name, unused -> ArrayValue.newBuilder()).addValues(value);
    } else {
      values.put(name, value);
    }
  }

  private Value map(WireReader content, int depth) throws InvalidProtocolBufferException {
    WireReader entity = content
        .nested(EntityFields.VALUE_STRING)
        .orElseThrow(() -> new InvalidProtocolBufferException("A map has no content."));
    return Value.newBuilder().setMapValue(fields(entity, depth + 1)).build();
  }
}
