package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The documents of all collections of one id that lie below documents, as if they were one collection. */
final class StoredGroup implements Scope {
  private final CollectionIndex index;
  private final NavigableMap<String, DocumentCell> cells = new TreeMap<>(PathOrder.INSTANCE);

  StoredGroup(String collectionId, IndexPolicy policy) {
    this.index = new CollectionIndex(collectionId, policy, cell -> cell.name.path());
  }

  /** Takes over all documents of a collection, as they are. */
  void addAll(StoredCollection collection) {
    for (DocumentCell cell : collection.cells().values()) {
      cells.put(cell.name.path(), cell);
      index.update(cell, null, cell.current());
    }
  }

  /** Must be called before the cell changes. */
  void willPut(DocumentCell cell, @Nullable Document document) {
    cells.put(cell.name.path(), cell);
    index.update(cell, cell.current(), document);
  }

  @Override
  public CollectionIndex index() {
    return index;
  }

  @Override
  public NavigableMap<String, DocumentCell> cells() {
    return cells;
  }

  @Override
  public String keyOf(String documentPath) {
    return documentPath;
  }

  @Override
  public boolean holds(DocumentCell cell) {
    return cells.get(cell.name.path()) == cell;
  }
}
