package dev.syncguard.firestore.server.index;

import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/** An index over several fields of all collections of one id. */
public record CompositeIndex(String collectionId, boolean group, List<Field> fields) {
  /** How a field takes part. */
  public enum Order {
    ASCENDING,
    DESCENDING,
    CONTAINS
  }

  /** One field of the index. */
  public record Field(FieldPath path, Order order) {}

  public CompositeIndex {
    fields = List.copyOf(fields);
  }
}
