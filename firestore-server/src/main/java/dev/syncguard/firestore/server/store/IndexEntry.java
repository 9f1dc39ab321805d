package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.PathOrder;
import dev.syncguard.firestore.server.value.ValueOrder;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One field of one document, as its collection's index sorts it: by field, then value, then document. */
class IndexEntry {
  final String field;
  final @Nullable Value value;
  final @Nullable DocumentCell cell;

  IndexEntry(String field, @Nullable Value value, @Nullable DocumentCell cell) {
    this.field = field;
    this.value = value;
    this.cell = cell;
  }

  /** Returns the order of entries, by field, then value, then the key of the document. */
  static Comparator<IndexEntry> order(Function<DocumentCell, String> key) {
    return (a, b) -> compare(a, b, key);
  }

  /** A place between entries, at which a scan starts or ends. */
  static final class Probe extends IndexEntry {
    private final ValuePosition position;
    private final IndexRange.@Nullable IdPosition id;

    /** With an id, the position must be at a value; the probe then stands beside that id among equal values. */
    Probe(String field, ValuePosition position, IndexRange.@Nullable IdPosition id) {
      super(field, null, null);
      this.position = position;
      this.id = id;
    }

    private int compareToEntry(IndexEntry entry, Function<DocumentCell, String> key) {
      if (entry.value == null || entry.cell == null) {
        return 0; // two probes: a set never holds one, they only meet when a range is made
      }
      int byValue = position.compareTo(entry.value);
      if (byValue != 0 || id == null) {
        return byValue;
      }
      int byId = PathOrder.comparePaths(id.id(), key.apply(entry.cell));
      return byId != 0 ? byId : id.side();
    }
  }

  private static int compare(IndexEntry a, IndexEntry b, Function<DocumentCell, String> key) {
    int byField = a.field.compareTo(b.field);
    if (byField != 0) {
      return byField;
    }
    if (a instanceof Probe probe) {
      return probe.compareToEntry(b, key);
    }
    if (b instanceof Probe probe) {
      return -probe.compareToEntry(a, key);
    }
    return compareEntries(a, b, key);
  }

  private static int compareEntries(
      IndexEntry a, IndexEntry b, Function<DocumentCell, String> key) {
    if (a.value == null || b.value == null || a.cell == null || b.cell == null) {
      throw new IllegalStateException("An index entry lacks its value");
    }
    int byValue = ValueOrder.INSTANCE.compare(a.value, b.value);
    return byValue != 0 ? byValue : PathOrder.comparePaths(key.apply(a.cell), key.apply(b.cell));
  }
}
