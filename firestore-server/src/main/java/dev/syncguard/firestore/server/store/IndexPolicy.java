package dev.syncguard.firestore.server.store;

import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/** Which fields of which collections are indexed. Thread-safe. */
public interface IndexPolicy {
  /** Indexes every field of every collection. */
  IndexPolicy EVERYTHING = (collectionId, field) -> true;

  /** Returns whether the field is indexed in collections of that id; no field below an unindexed one is. */
  boolean isIndexed(String collectionId, FieldPath field);

  /** Returns a text that is another one whenever other indexes would be kept. */
  default String fingerprint() {
    return "";
  }

  /** Returns the indexes over several fields that are kept for collections of that id. */
  default List<Composite> composites(String collectionId) {
    return List.of();
  }
}
