package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The documents directly in one collection, by id, with their indexes. */
final class StoredCollection implements Scope {
  final String path;
  final String id;
  private final CollectionIndex index;
  private final NavigableMap<String, DocumentCell> cells = new TreeMap<>(PathOrder::compareIds);

  StoredCollection(String path, IndexPolicy policy) {
    this.path = path;
    this.id = path.substring(path.lastIndexOf('/') + 1);
    this.index = new CollectionIndex(id, policy, cell -> cell.id);
  }

  @Nullable
  DocumentCell cell(String documentId) {
    return cells.get(documentId);
  }

  @Override
  public CollectionIndex index() {
    return index;
  }

  @Override
  public @Nullable String keyOf(String documentPath) {
    boolean inside =
        documentPath.startsWith(path + "/") && documentPath.indexOf('/', path.length() + 1) < 0;
    return inside ? documentPath.substring(path.length() + 1) : null;
  }

  @Override
  public boolean holds(DocumentCell cell) {
    return cells.get(cell.id) == cell && cell.name.collectionPath().equals(path);
  }

  /** Returns whether the collection lies below a document. */
  boolean isNested() {
    return path.indexOf('/') >= 0;
  }

  @Override
  public NavigableMap<String, DocumentCell> cells() {
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
