package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.store.IndexKeys.Middle;
import dev.syncguard.firestore.server.store.IndexKeys.Sorted;
import dev.syncguard.firestore.server.store.Scope.Group;
import dev.syncguard.firestore.server.store.Scope.OneCollection;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the indexes: each field by value, which serves both directions, the elements of each array, and what is
 * configured beyond that.
 */
final class IndexEntries {
  private final IndexPolicy policy;
  private final KeySpace keys;

  IndexEntries(IndexPolicy policy, KeySpace keys) {
    this.policy = policy;
    this.keys = keys;
  }

  /** Moves the entries of one document from what it was to what it is. */
  void update(String path, @Nullable Document before, @Nullable Document after) {
    int slash = path.lastIndexOf('/');
    OneCollection collection = new OneCollection(path.substring(0, slash));
    String id = collection.collectionId();
    boolean nested = collection.collectionPath().indexOf('/') >= 0;
    Difference difference = new Difference(id);
    difference.ofMaps(null, fields(before), fields(after));
    difference.apply(collection, path.substring(slash + 1), false);
    if (nested) {
      difference.apply(new Group(id, ""), path, false);
    }
    for (Composite composite : policy.composites(id)) {
      Difference moved = new Difference(id);
      entries(composite, before, moved.gone);
      entries(composite, after, moved.come);
      if (composite.group() && nested) {
        moved.apply(new Group(id, ""), path, composite.descendingNames());
      } else {
        moved.apply(collection, path.substring(slash + 1), composite.descendingNames());
      }
    }
  }

  private static void entries(
      Composite composite, @Nullable Document document, List<Middle> entries) {
    List<List<Sorted>> rows = new ArrayList<>(List.of(List.of()));
    for (Composite.Part part : composite.parts()) {
      Value value = document == null ? null : Fields.get(document.getFieldsMap(), part.field());
      List<Value> values = value == null
          ? List.of()
          : part.order() == Composite.Order.CONTAINS
              ? List.copyOf(new LinkedHashSet<>(value.getArrayValue().getValuesList()))
              : List.of(value);
      List<List<Sorted>> longer = new ArrayList<>();
      for (List<Sorted> row : rows) {
        for (Value next : values) {
          List<Sorted> more = new ArrayList<>(row);
          more.add(new Sorted(next, part.isInverted()));
          longer.add(more);
        }
      }
      rows = longer;
    }
    byte[] index = IndexKeys.composite(composite);
    rows.forEach(row -> entries.add(IndexKeys.middle(index, row)));
  }

  private static Map<String, Value> fields(@Nullable Document document) {
    return document == null ? Map.of() : document.getFieldsMap();
  }

  /** Collects which entries differ between two states of a document. */
  private final class Difference {
    private final String collectionId;
    private final List<Middle> gone = new ArrayList<>();
    private final List<Middle> come = new ArrayList<>();

    Difference(String collectionId) {
      this.collectionId = collectionId;
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
      add(path, before, gone);
      add(path, after, come);
      ofMaps(path, map(before), map(after));
    }

    private void add(FieldPath path, @Nullable Value value, List<Middle> entries) {
      if (value == null) {
        return;
      }
      entries.add(IndexKeys.middle(IndexKeys.values(path), List.of(new Sorted(value, false))));
      if (value.hasArrayValue()) {
        byte[] elements = IndexKeys.elements(path);
        for (Value element : new LinkedHashSet<>(value.getArrayValue().getValuesList())) {
          entries.add(IndexKeys.middle(elements, List.of(new Sorted(element, false))));
        }
      }
    }

    /** Removes first: what comes may be among what goes. */
    void apply(Scope scope, String key, boolean descendingNames) {
      byte[] prefix = scope.indexes();
      KeyWriter name = new KeyWriter();
      scope.writeKey(key, name);
      if (descendingNames) {
        name.invertFrom(0);
      }
      byte[] suffix = name.toBytes();
      for (Middle entry : gone) {
        keys.remove(key(prefix, entry, suffix));
      }
      for (Middle entry : come) {
        keys.put(
            key(prefix, entry, suffix),
            IndexPlace.of(prefix.length + entry.bytes().length, entry.cut()));
      }
    }

    private byte[] key(byte[] prefix, Middle entry, byte[] suffix) {
      byte[] middle = entry.bytes();
      byte[] key = new byte[prefix.length + middle.length + suffix.length];
      System.arraycopy(prefix, 0, key, 0, prefix.length);
      System.arraycopy(middle, 0, key, prefix.length, middle.length);
      System.arraycopy(suffix, 0, key, prefix.length + middle.length, suffix.length);
      return key;
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
