package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.Value;
import java.util.List;
import java.util.Map;

/** Field masks: which fields a write touches, and which fields a reader wants. */
public final class Masks {
  private Masks() {}

  /** Returns the paths of a mask; a path comes before those below it, which then add nothing. */
  public static List<FieldPath> parse(DocumentMask mask) {
    return mask.getFieldPathsList().stream().map(FieldPath::parse).sorted().toList();
  }

  /** Returns the stored fields after a merge: what the mask names is taken from the update or removed. */
  public static Map<String, Value> merge(
      Map<String, Value> stored, Map<String, Value> update, List<FieldPath> mask) {
    Map<String, Value> merged = stored;
    for (FieldPath path : mask) {
      Value value = Fields.get(update, path);
      merged = value == null ? Fields.without(merged, path) : Fields.with(merged, path, value);
    }
    return merged;
  }

  /** Returns the document with only the fields that the mask names. */
  public static Document project(Document document, List<FieldPath> mask) {
    Map<String, Value> kept = Map.of();
    for (FieldPath path : mask) {
      Value value = path.isName() ? null : Fields.get(document.getFieldsMap(), path);
      if (value != null) {
        kept = Fields.with(kept, path, value);
      }
    }
    return document.toBuilder().clearFields().putAllFields(kept).build();
  }
}
