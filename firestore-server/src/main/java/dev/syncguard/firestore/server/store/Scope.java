package dev.syncguard.firestore.server.store;

import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Documents that one index covers: those of one collection, or of many collections of one id. */
interface Scope {
  CollectionIndex index();

  /** Returns the documents in the order of their names, by what tells them apart within the scope. */
  NavigableMap<String, DocumentCell> cells();

  /** Returns where a document of this path stands or would stand among the others, or null if outside of them. */
  @Nullable
  String keyOf(String documentPath);

  /** Returns whether the document is in the scope. */
  boolean holds(DocumentCell cell);
}
