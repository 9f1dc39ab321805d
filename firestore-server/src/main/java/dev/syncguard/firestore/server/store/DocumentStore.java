package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.PathOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All collections of one database. One thread may change it at a time, and nobody may read it meanwhile. */
final class DocumentStore {
  /** Up to so many collections are searched one by one for a collection group query. */
  static final int FEW_COLLECTIONS = 4;

  private final IndexPolicy policy;
  private final NavigableMap<String, StoredCollection> byPath = new TreeMap<>(PathOrder.INSTANCE);
  private final Map<String, NavigableMap<String, StoredCollection>> byId = new HashMap<>();
  /** Only of ids that somebody asked for; readers that share the database may do so at once. */
  private final Map<String, StoredGroup> groups = new ConcurrentHashMap<>();

  DocumentStore(IndexPolicy policy) {
    this.policy = policy;
  }

  @Nullable
  DocumentCell cell(DocumentName name) {
    StoredCollection collection = byPath.get(name.collectionPath());
    return collection == null ? null : collection.cell(name.id());
  }

  @Nullable
  StoredCollection collection(String path) {
    return byPath.get(path);
  }

  /** Returns the collections of one id anywhere in the database, by path. */
  Collection<StoredCollection> group(String collectionId) {
    NavigableMap<String, StoredCollection> group = byId.get(collectionId);
    return group == null ? List.of() : group.values();
  }

  /**
   * Returns what holds all documents of the collections of one id. A few collections are searched one by one. Where they
   * are many, those below documents share an index, which is made when it is first needed and kept up from then on.
   */
  List<Scope> scopes(String collectionId) {
    Collection<StoredCollection> collections = group(collectionId);
    if (collections.size() <= FEW_COLLECTIONS && !groups.containsKey(collectionId)) {
      return List.copyOf(collections);
    }
    List<Scope> scopes = new ArrayList<>();
    scopes.add(groups.computeIfAbsent(collectionId, this::index));
    StoredCollection top = byPath.get(collectionId);
    if (top != null) {
      scopes.add(top);
    }
    return scopes;
  }

  private StoredGroup index(String collectionId) {
    StoredGroup created = new StoredGroup(collectionId, policy);
    group(collectionId).stream().filter(StoredCollection::isNested).forEach(created::addAll);
    return created;
  }

  /** Returns the collections below a document, at any depth; an empty path means the whole database. */
  Collection<StoredCollection> below(String documentPath) {
    if (documentPath.isEmpty()) {
      return byPath.values();
    }
    // The lowest path below the document starts after it; the highest ends where the next sibling
    // would start.
    NavigableMap<String, StoredCollection> tail = byPath.tailMap(documentPath, false);
    String prefix = documentPath + "/";
    return new PrefixView(tail.values(), prefix);
  }

  void put(DocumentName name, long micros, @Nullable Document document, History history) {
    StoredCollection collection = byPath.computeIfAbsent(name.collectionPath(), this::register);
    DocumentCell cell = collection.cell(name);
    StoredGroup group = collection.isNested() ? groups.get(collection.id) : null;
    if (group != null) {
      group.willPut(cell, document);
    }
    history.add(micros, cell, collection.put(cell, micros, document));
  }

  boolean holdsDocuments() {
    return byPath.values().stream()
        .flatMap(collection -> collection.cells().values().stream())
        .anyMatch(cell -> cell.current() != null);
  }

  private StoredCollection register(String path) {
    StoredCollection created = new StoredCollection(path, policy);
    byId.computeIfAbsent(created.id, id -> new TreeMap<>(PathOrder.INSTANCE)).put(path, created);
    return created;
  }

  /** Forgets old states of one document, and its place once there is nothing left to see. */
  void forget(DocumentCell cell, long horizon) {
    StoredCollection collection = byPath.get(cell.name.collectionPath());
    if (collection == null || collection.cell(cell.id) != cell || !cell.forgetBefore(horizon)) {
      return;
    }
    collection.cells().remove(cell.id);
    groups.computeIfPresent(collection.id, (id, group) -> {
      group.cells().remove(cell.name.path());
      return group.cells().isEmpty() ? null : group;
    });
    if (collection.isEmpty()) {
      byPath.remove(collection.path);
      byId.getOrDefault(collection.id, new TreeMap<>()).remove(collection.path);
      byId.computeIfPresent(collection.id, (id, group) -> group.isEmpty() ? null : group);
    }
  }
}
