package dev.syncguard.firestore.server.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.index.IndexConfiguration.SingleField;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the text of a firestore.indexes.json. */
public final class IndexFile {
  private IndexFile() {}

  /** Returns what the file configures, or refuses it saying which part is wrong. */
  public static IndexConfiguration parse(String json) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw FirestoreServerException.invalid(
          "firestore.indexes.json is not valid JSON: " + e.getOriginalMessage());
    }
    List<CompositeIndex> composites = new ArrayList<>();
    root.path("indexes").forEach(index -> composites.add(composite(index)));
    Map<String, Map<FieldPath, Set<SingleField>>> overrides = new HashMap<>();
    Map<String, FieldPath> ttlPolicies = new HashMap<>();
    for (JsonNode override : root.path("fieldOverrides")) {
      String collection = text(override, "collectionGroup");
      String path = text(override, "fieldPath");
      FieldPath field = path.equals("*") ? IndexConfiguration.EVERY_FIELD : FieldPath.parse(path);
      if (override.has("indexes")) {
        Set<SingleField> indexes = new HashSet<>();
        override
            .path("indexes")
            .forEach(index -> indexes.add(new SingleField(order(index), isGroup(index))));
        overrides.computeIfAbsent(collection, id -> new HashMap<>()).put(field, indexes);
      }
      if (override.path("ttl").asBoolean() && ttlPolicies.put(collection, field) != null) {
        throw FirestoreServerException.invalid(
            "Collection group " + collection + " has two ttl fields.");
      }
    }
    return new IndexConfiguration(composites, overrides, ttlPolicies);
  }

  private static CompositeIndex composite(JsonNode index) {
    List<CompositeIndex.Field> fields = new ArrayList<>();
    for (JsonNode field : index.path("fields")) {
      fields.add(new CompositeIndex.Field(
          FieldPath.parse(text(field, "fieldPath")),
          order(field),
          field.path("vectorConfig").path("dimension").asInt()));
    }
    return new CompositeIndex(text(index, "collectionGroup"), isGroup(index), fields);
  }

  private static boolean isGroup(JsonNode index) {
    return index.path("queryScope").asText().equals("COLLECTION_GROUP");
  }

  private static CompositeIndex.Order order(JsonNode field) {
    if (field.path("arrayConfig").asText().equals("CONTAINS")) {
      return CompositeIndex.Order.CONTAINS;
    }
    if (field.has("vectorConfig")) {
      return CompositeIndex.Order.VECTOR;
    }
    return field.path("order").asText().equals("DESCENDING")
        ? CompositeIndex.Order.DESCENDING
        : CompositeIndex.Order.ASCENDING;
  }

  private static String text(JsonNode node, String field) {
    if (!node.path(field).isTextual()) {
      throw FirestoreServerException.invalid(
          "firestore.indexes.json: an entry lacks its " + field + ".");
    }
    return node.path(field).asText();
  }
}
