package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.Utf8Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The database as it was at one time. It is good only inside the read that handed it out. */
public final class Snapshot {
  private final DocumentStore store;
  private final History history;
  private final long micros;
  private final Set<DocumentCell> changedSince;

  Snapshot(DocumentStore store, History history, long micros, boolean present) {
    this.store = store;
    this.history = history;
    this.micros = micros;
    this.changedSince = present ? Set.of() : history.changedAfter(micros);
  }

  /** Returns the time that is seen. */
  public long micros() {
    return micros;
  }

  /** Returns the document, or null if there is none. */
  public @Nullable Document get(DocumentName name) {
    DocumentCell cell = store.cell(name);
    return cell == null ? null : cell.at(micros);
  }

  /** Returns the collection at a path, or null if nothing was ever there. */
  public @Nullable CollectionView collection(String path) {
    StoredCollection collection = store.collection(path);
    return collection == null ? null : view(collection);
  }

  /** Returns what holds all collections of that id at any depth below the parent; an empty id stands for all. */
  public List<CollectionView> descendants(ParentName parent, String collectionId) {
    if (parent.isRoot() && !collectionId.isEmpty()) {
      return store.scopes(collectionId).stream().map(this::view).toList();
    }
    String prefix = parent.isRoot() ? "" : parent.path() + "/";
    Collection<StoredCollection> candidates =
        collectionId.isEmpty() ? store.below(parent.path()) : store.group(collectionId);
    return candidates.stream()
        .filter(collection -> collection.path.startsWith(prefix))
        .map(this::view)
        .toList();
  }

  /** Returns the ids of the collections directly below the parent that hold a document at any depth. */
  public List<String> collectionIds(ParentName parent) {
    int start = parent.isRoot() ? 0 : parent.path().length() + 1;
    Set<String> ids = new TreeSet<>(Utf8Order::compare);
    for (StoredCollection collection : store.below(parent.path())) {
      int end = collection.path.indexOf('/', start);
      String id = collection.path.substring(start, end < 0 ? collection.path.length() : end);
      if (!ids.contains(id) && holdsDocuments(collection)) {
        ids.add(id);
      }
    }
    return List.copyOf(ids);
  }

  /** Returns the ids of the documents of a collection that do not exist but have something below them. */
  public List<String> missingDocuments(String collectionPath) {
    int start = collectionPath.length() + 1;
    StoredCollection own = store.collection(collectionPath);
    Set<String> ids = new TreeSet<>(PathOrder::compareIds);
    for (StoredCollection collection : store.below(collectionPath)) {
      String id = collection.path.substring(start, collection.path.indexOf('/', start));
      if (!ids.contains(id) && !exists(own, id) && holdsDocuments(collection)) {
        ids.add(id);
      }
    }
    return List.copyOf(ids);
  }

  /** Returns the names of the documents that changed after the time. */
  public List<DocumentName> changedAfter(long since) {
    return history.changedAfter(since).stream().map(cell -> cell.name).toList();
  }

  /** Returns the oldest time whose changes are still known. */
  public long horizon() {
    return history.horizon();
  }

  private boolean exists(@Nullable StoredCollection collection, String id) {
    DocumentCell cell = collection == null ? null : collection.cell(id);
    return cell != null && cell.at(micros) != null;
  }

  private boolean holdsDocuments(StoredCollection collection) {
    return collection.cells().values().stream().anyMatch(cell -> cell.at(micros) != null);
  }

  private CollectionView view(Scope scope) {
    if (changedSince.isEmpty()) {
      return new CollectionView(scope, micros, Set.of());
    }
    List<DocumentCell> changed = new ArrayList<>();
    for (DocumentCell cell : changedSince) {
      if (scope.holds(cell)) {
        changed.add(cell);
      }
    }
    return new CollectionView(scope, micros, Set.copyOf(changed));
  }
}
