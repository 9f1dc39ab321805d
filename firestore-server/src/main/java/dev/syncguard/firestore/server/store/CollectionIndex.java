package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The automatic indexes of one collection: each field by value, which serves both directions, and the elements of each
 * array. They know the present only; a reader of the past corrects them by what changed since.
 */
final class CollectionIndex {
  private final String collectionId;
  private final IndexPolicy policy;
  private final NavigableSet<IndexEntry> values;
  private final NavigableSet<IndexEntry> elements;

  /** @param key tells documents of the same value apart and sorts them */
  CollectionIndex(String collectionId, IndexPolicy policy, Function<DocumentCell, String> key) {
    this.collectionId = collectionId;
    this.policy = policy;
    this.values = new TreeSet<>(IndexEntry.order(key));
    this.elements = new TreeSet<>(IndexEntry.order(key));
  }

  /** Moves the entries of one document from what it was to what it is. */
  void update(DocumentCell cell, @Nullable Document before, @Nullable Document after) {
    Difference difference = new Difference(cell);
    difference.ofMaps(null, fields(before), fields(after));
    difference.apply();
  }

  Iterator<DocumentCell> byValue(FieldPath field, IndexRange range, boolean descending) {
    return scan(values, field, range, descending);
  }

  Iterator<DocumentCell> byElement(FieldPath field, IndexRange range, boolean descending) {
    return scan(elements, field, range, descending);
  }

  boolean isIndexed(FieldPath field) {
    return policy.isIndexed(collectionId, field);
  }

  private static Iterator<DocumentCell> scan(
      NavigableSet<IndexEntry> entries, FieldPath field, IndexRange range, boolean descending) {
    String name = field.canonical();
    NavigableSet<IndexEntry> slice =
        entries.tailSet(range.start(name), true).headSet(range.end(name), true);
    Iterator<IndexEntry> iterator = descending ? slice.descendingIterator() : slice.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return iterator.hasNext();
      }

      @Override
      @SuppressWarnings("NullAway") // a stored entry always has its cell
      public DocumentCell next() {
        return iterator.next().cell;
      }
    };
  }

  private static Map<String, Value> fields(@Nullable Document document) {
    return document == null ? Map.of() : document.getFieldsMap();
  }

  /** Collects which entries differ between two states of a document. */
  private final class Difference {
    private final DocumentCell cell;
    private final List<IndexEntry> gone = new ArrayList<>();
    private final List<IndexEntry> come = new ArrayList<>();
    private final List<IndexEntry> goneElements = new ArrayList<>();
    private final List<IndexEntry> comeElements = new ArrayList<>();

    Difference(DocumentCell cell) {
      this.cell = cell;
    }

    void ofMaps(@Nullable FieldPath parent, Map<String, Value> before, Map<String, Value> after) {
      before.forEach((key, value) -> {
        if (!value.equals(after.get(key))) {
          ofValues(path(parent, key), value, after.get(key));
        }
      });
      after.forEach((key, value) -> {
        if (!before.containsKey(key)) {
          ofValues(path(parent, key), null, value);
        }
      });
    }

    private void ofValues(FieldPath path, @Nullable Value before, @Nullable Value after) {
      if (!policy.isIndexed(collectionId, path)) {
        return;
      }
      String name = path.canonical();
      if (before != null) {
        gone.add(new IndexEntry(name, before, cell));
        before
            .getArrayValue()
            .getValuesList()
            .forEach(element -> goneElements.add(new IndexEntry(name, element, cell)));
      }
      if (after != null) {
        come.add(new IndexEntry(name, after, cell));
        after
            .getArrayValue()
            .getValuesList()
            .forEach(element -> comeElements.add(new IndexEntry(name, element, cell)));
      }
      ofMaps(path, map(before), map(after));
    }

    void apply() {
      gone.forEach(values::remove);
      goneElements.forEach(elements::remove);
      values.addAll(come);
      elements.addAll(comeElements);
    }

    private FieldPath path(@Nullable FieldPath parent, String key) {
      return parent == null ? FieldPath.of(key) : parent.child(key);
    }

    private Map<String, Value> map(@Nullable Value value) {
      return value == null || Vectors.isVector(value)
          ? Map.of() // a vector is one value
          : value.getMapValue().getFieldsMap();
    }
  }
}
