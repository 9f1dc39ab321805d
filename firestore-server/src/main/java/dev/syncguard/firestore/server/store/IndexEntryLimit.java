package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limit on how many entries the automatic indexes have for one document. */
final class IndexEntryLimit {
  private static final int MAX_ENTRIES = 40_000;
  /** Each field has one entry for either direction. */
  private static final int PER_FIELD = 2;

  private IndexEntryLimit() {}

  static void check(Document document, String collectionId, IndexPolicy policy) {
    long entries = count(null, document.getFieldsMap(), collectionId, policy);
    if (entries > MAX_ENTRIES) {
      throw FirestoreServerException.invalid(
          "too many index entries for entity: the document would have " + entries + ", but "
              + MAX_ENTRIES + " are allowed. Exempt large maps or arrays from indexing.");
    }
  }

  private static long count(
      @Nullable FieldPath parent,
      Map<String, Value> fields,
      String collectionId,
      IndexPolicy policy) {
    long entries = 0;
    for (Map.Entry<String, Value> field : fields.entrySet()) {
      FieldPath path = parent == null ? FieldPath.of(field.getKey()) : parent.child(field.getKey());
      if (policy.isIndexed(collectionId, path)) {
        entries += PER_FIELD
            + new HashSet<>(field.getValue().getArrayValue().getValuesList()).size()
            + count(path, fieldsBelow(field.getValue()), collectionId, policy);
      }
    }
    return entries;
  }

  private static Map<String, Value> fieldsBelow(Value value) {
    return Vectors.isVector(value) ? Map.of() : value.getMapValue().getFieldsMap();
  }
}
