package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.store.IndexKeys.Sorted;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One collection, or many of one id, as they are seen at one time. The scans run over the indexes of the present and
 * leave out every document that has changed since; those are few, and {@link #rewound} gives them as they were.
 */
public final class CollectionView {
  private final Snapshot snapshot;
  private final Scope scope;
  private final IndexPolicy policy;

  CollectionView(Snapshot snapshot, Scope scope, IndexPolicy policy) {
    this.snapshot = snapshot;
    this.scope = scope;
    this.policy = policy;
  }

  /**
   * Returns where a document of this path stands or would stand among these by name, or null if it lies outside of the
   * one collection.
   */
  public @Nullable String keyOf(String documentPath) {
    return scope.keyOf(documentPath);
  }

  /** Returns whether the field can be scanned by value. */
  public boolean isIndexed(FieldPath field) {
    return policy.isIndexed(scope.collectionId(), field);
  }

  /** Returns the indexes over several fields that these documents have. */
  public List<Composite> composites() {
    boolean group = scope instanceof Scope.Group;
    boolean top =
        scope instanceof Scope.OneCollection one && one.collectionPath().indexOf('/') < 0;
    return policy.composites(scope.collectionId()).stream()
        .filter(composite -> top || composite.group() == group)
        .toList();
  }

  /** Returns the unchanged documents by name, between two keys where given, both included. */
  public Scan byName(@Nullable String from, @Nullable String to, boolean descending) {
    byte[] all = scope.ownNames();
    byte[] first = from == null ? all : nameKey(from).toBytes();
    byte[] before = to == null ? Keys.afterAll(all) : nameKey(to).put(0).toBytes();
    int place = scope.names().length;
    boolean holdsDocuments = scope instanceof Scope.OneCollection;
    return new Scan(
        snapshot.entries(first, before, descending),
        new Scan.Target(
            (key, value) -> scope.path(new KeyReader(key, place)),
            this::isVisible,
            (path, value) -> holdsDocuments ? snapshot.parse(path, value) : snapshot.load(path),
            false));
  }

  private KeyWriter nameKey(String key) {
    KeyWriter out = new KeyWriter().put(scope.names());
    scope.writeKey(key, out);
    return out;
  }

  /** Returns the unchanged documents by the value of a field, then by id. */
  public Scan byValue(FieldPath field, IndexRange range, boolean descending) {
    return byIndex(IndexKeys.values(field), range, descending);
  }

  /** Returns the unchanged documents that have an element of an array field in the range. */
  public Scan byElement(FieldPath field, IndexRange range, boolean descending) {
    return byIndex(IndexKeys.elements(field), range, descending);
  }

  private Scan byIndex(byte[] index, IndexRange range, boolean descending) {
    return scan(
        IndexKeys.bound(scope, index, List.of(), range.from(), range.fromId(), false, false),
        IndexKeys.bound(scope, index, List.of(), range.to(), range.toId(), false, true),
        descending,
        false);
  }

  /**
   * Returns the unchanged documents of an index over several fields.
   *
   * @param fixed the values of its first fields
   * @param range of the field after them
   */
  public Scan byComposite(
      Composite composite, List<Value> fixed, IndexRange range, boolean descending) {
    List<Composite.Part> parts = composite.parts();
    List<Sorted> leading = new ArrayList<>();
    for (int i = 0; i < fixed.size(); i++) {
      leading.add(new Sorted(fixed.get(i), parts.get(i).isInverted()));
    }
    boolean inverted = fixed.size() < parts.size() && parts.get(fixed.size()).isInverted();
    byte[] index = IndexKeys.composite(composite);
    ValuePosition low = inverted ? range.to() : range.from();
    ValuePosition high = inverted ? range.from() : range.to();
    return scan(
        IndexKeys.bound(scope, index, leading, low, null, inverted, false),
        IndexKeys.bound(scope, index, leading, high, null, inverted, true),
        descending,
        composite.descendingNames());
  }

  private Scan scan(byte[] from, byte[] before, boolean descending, boolean descendingNames) {
    return new Scan(
        snapshot.entries(from, before, descending),
        new Scan.Target(
            (key, value) -> {
              int place = IndexPlace.place(value);
              return scope.path(
                  descendingNames ? KeyReader.inverted(key, place) : new KeyReader(key, place));
            },
            this::isVisible,
            (path, value) -> snapshot.load(path),
            true));
  }

  /** Returns the documents that have changed since, as they were, in no order. */
  public Iterator<Document> rewound() {
    return snapshot.rewound(scope::holds);
  }

  private boolean isVisible(String path) {
    return !snapshot.hasChanged(path) && scope.holds(path);
  }
}
