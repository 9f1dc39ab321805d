package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.Scope.Group;
import dev.syncguard.firestore.server.store.Scope.OneCollection;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.Utf8Order;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The database as it was at one time. It is good only inside the read that handed it out, and if held, until it is closed. */
public final class Snapshot implements AutoCloseable {
  private final DatabaseName database;
  private final IndexPolicy policy;
  private final SharedDocuments documents;
  private final Published published;
  private final long micros;
  /** The documents that have changed since, as they were; nothing for those that did not exist. */
  private final Map<String, byte[]> before;

  private final Visits visits = new Visits();

  /** @param published the present, or what came after the time */
  Snapshot(
      DatabaseName database,
      IndexPolicy policy,
      SharedDocuments documents,
      Published published,
      long micros) {
    this.database = database;
    this.policy = policy;
    this.documents = documents;
    this.published = published;
    this.micros = micros;
    this.before = micros >= published.lastCommit() ? Map.of() : changes(micros);
  }

  private Map<String, byte[]> changes(long since) {
    Map<String, byte[]> changes = new LinkedHashMap<>();
    Entries entries = entries(Keys.historyAfter(since), Keys.historyEnd(), false);
    for (; !entries.isOver(); entries.advance()) {
      changes.putIfAbsent(Keys.historyPath(entries.key()), entries.value());
    }
    return changes;
  }

  KeySpace.Root root() {
    return published.root();
  }

  Entries entries(byte[] from, byte[] before, boolean descending) {
    return root().entries(from, before, descending, visits);
  }

  /** Lets whoever reads go on after the read that handed it out. They must close it, once. */
  public void hold() {
    root().acquire();
  }

  @Override
  public void close() {
    root().release();
  }

  /** Returns how many entries of keys and indexes were visited in this snapshot so far. */
  public long visitedEntries() {
    return visits.entries;
  }

  /** Returns how many documents were read in this snapshot so far. */
  public long readDocuments() {
    return visits.documents;
  }

  /** Returns the time that is seen. */
  public long micros() {
    return micros;
  }

  /** Returns the document, or null if there is none. */
  public @Nullable Document get(DocumentName name) {
    return get(name.path());
  }

  @Nullable
  Document get(String path) {
    byte[] bytes = before.get(path);
    if (bytes == null) {
      bytes = root().get(Keys.document(path));
    }
    return bytes == null || bytes.length == 0 ? null : parse(path, bytes);
  }

  /** Returns the documents of the present below a document or in and below a collection; of an empty path, all of them. */
  public Iterator<Document> documentsBelow(String path) {
    byte[] prefix = Keys.documentsBelow(path);
    return new Scan(
        entries(prefix, Keys.afterAll(prefix), false),
        new Scan.Target(
            (key, value) -> Keys.documentPath(key), document -> true, this::parse, false));
  }

  /** Returns the collection at a path, which may be empty. */
  public CollectionView collection(String path) {
    return view(new OneCollection(path));
  }

  /** Returns what holds all collections of that id at any depth below the parent; an empty id stands for all. */
  public List<CollectionView> descendants(ParentName parent, String collectionId) {
    if (collectionId.isEmpty()) {
      return collectionsBelow(parent.path()).stream().map(this::collection).toList();
    }
    CollectionView nested = view(new Group(collectionId, parent.path()));
    return parent.isRoot() ? List.of(nested, collection(collectionId)) : List.of(nested);
  }

  private Set<String> collectionsBelow(String path) {
    Set<String> paths = new TreeSet<>(PathOrder.INSTANCE);
    byte[] all = Keys.documentsBelow(path);
    byte[] end = Keys.afterAll(all);
    Entries entries = entries(all, end, false);
    while (!entries.isOver()) {
      String collection = new KeyReader(entries.key(), 1).pathToEnd();
      paths.add(collection);
      entries = entries(Keys.afterAll(Keys.documentsIn(collection)), end, false);
    }
    for (String changed : before.keySet()) {
      if (path.isEmpty() || changed.startsWith(path + "/")) {
        paths.add(changed.substring(0, changed.lastIndexOf('/')));
      }
    }
    return paths;
  }

  /** Returns the ids of the collections directly below the parent that hold a document at any depth. */
  public List<String> collectionIds(ParentName parent) {
    Set<String> sorted = new TreeSet<>(Utf8Order::compare);
    sorted.addAll(idsBelow(parent.path(), null, Integer.MAX_VALUE, id -> true));
    return List.copyOf(sorted);
  }

  /** Returns the ids of all documents of a collection that do not exist but have something below them. */
  public List<String> missingDocuments(String collectionPath) {
    return missingDocuments(collectionPath, null, Integer.MAX_VALUE);
  }

  /**
   * Returns the ids of the first documents of a collection that do not exist but have something below them.
   *
   * @param after the id that they come after, or null
   */
  public List<String> missingDocuments(String collectionPath, @Nullable String after, int limit) {
    Set<String> sorted = new TreeSet<>(PathOrder::compareIds);
    sorted.addAll(
        idsBelow(collectionPath, after, limit, id -> get(collectionPath + "/" + id) == null));
    return sorted.stream().limit(limit).toList();
  }

  /** Returns the first ids that follow the path in those of collections that hold a document, and of the past perhaps more. */
  private Set<String> idsBelow(
      String path, @Nullable String after, int limit, Predicate<String> wanted) {
    Set<String> ids = new LinkedHashSet<>();
    byte[] below = Keys.documentsBelow(path);
    byte[] end = Keys.afterAll(below);
    // The collection's own documents are not below it.
    byte[] from = after == null
        ? new KeyWriter().put(below).put(KeyWriter.END + 1).toBytes()
        : Keys.afterAll(new KeyWriter().put(below).id(after).toBytes());
    Entries entries = entries(from, end, false);
    while (!entries.isOver() && ids.size() < limit) {
      KeyReader reader = new KeyReader(entries.key(), below.length);
      String id = reader.id();
      byte[] next = Keys.afterAll(Arrays.copyOf(entries.key(), reader.place()));
      if (holdsUnchanged(entries, next) && wanted.test(id)) {
        ids.add(id);
      }
      entries = entries(next, end, false);
    }
    int start = path.isEmpty() ? 0 : path.length() + 1;
    before.forEach((changed, bytes) -> {
      int slash = changed.indexOf('/', start);
      boolean isBelow = start == 0 || changed.startsWith(path + "/");
      if (bytes.length > 0 && isBelow && slash > 0) {
        String id = changed.substring(start, slash);
        if ((after == null || PathOrder.compareIds(id, after) > 0) && wanted.test(id)) {
          ids.add(id);
        }
      }
    });
    return ids;
  }

  private boolean holdsUnchanged(Entries entries, byte[] end) {
    while (!entries.isOver() && Arrays.compareUnsigned(entries.key(), end) < 0) {
      if (before.isEmpty() || !hasChanged(Keys.documentPath(entries.key()))) {
        return true;
      }
      entries.advance();
    }
    return false;
  }

  /** Returns the names of the documents that changed after the time. */
  public List<DocumentName> changedAfter(long since) {
    return changes(since).keySet().stream()
        .map(path -> new DocumentName(database, path))
        .toList();
  }

  /** Returns the oldest time whose changes are still known. */
  public long horizon() {
    return published.horizon();
  }

  boolean hasChanged(String path) {
    return !before.isEmpty() && before.containsKey(path);
  }

  /** Returns the documents that have changed since, as they were, if their path passes the test. */
  Iterator<Document> rewound(Predicate<String> test) {
    return before.entrySet().stream()
        .filter(changed -> changed.getValue().length > 0 && test.test(changed.getKey()))
        .map(changed -> parse(changed.getKey(), changed.getValue()))
        .iterator();
  }

  /** Returns a document that is known to be there now. */
  Document load(String path) {
    byte[] bytes = root().get(Keys.document(path));
    if (bytes == null) {
      throw new IllegalStateException("An index names a document that is not there");
    }
    return parse(path, bytes);
  }

  /** Returns the document that these bytes are, which leave out its name. */
  Document parse(String path, byte[] bytes) {
    visits.documents++;
    return documents.get(path, bytes);
  }

  private CollectionView view(Scope scope) {
    return new CollectionView(this, scope, policy);
  }
}
