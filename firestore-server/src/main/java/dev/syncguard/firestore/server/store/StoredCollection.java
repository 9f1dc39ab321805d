package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The documents directly in one collection, by id, with their indexes. */
final class StoredCollection {
  final String path;
  final String id;
  final CollectionIndex index;
  private final NavigableMap<String, DocumentCell> cells = new TreeMap<>(PathOrder::compareIds);

  StoredCollection(String path, IndexPolicy policy) {
    this.path = path;
    this.id = path.substring(path.lastIndexOf('/') + 1);
    this.index = new CollectionIndex(id, policy);
  }

  @Nullable
  DocumentCell cell(String documentId) {
    return cells.get(documentId);
  }

  NavigableMap<String, DocumentCell> cells() {
    return cells;
  }

  DocumentCell cell(DocumentName name) {
    return cells.computeIfAbsent(name.id(), id -> new DocumentCell(name, id));
  }

  /** Gives a document its next state and returns how much of the heap the one before it goes on to take. */
  int put(DocumentCell cell, long micros, @Nullable Document document) {
    index.update(cell, cell.current(), document);
    return cell.put(micros, document);
  }

  boolean isEmpty() {
    return cells.isEmpty();
  }
}
