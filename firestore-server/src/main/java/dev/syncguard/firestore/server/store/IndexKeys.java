package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which index, and the values by which it sorts, as the middle of a key: after the scope and before the document. */
final class IndexKeys {
  /** So many bytes of values sort; documents that are equal in them are told apart by reading them. */
  private static final int MAX_BYTES = 1500;

  private static final int VALUES = 1;
  private static final int ELEMENTS = 2;
  private static final int COMPOSITE = 3;

  private IndexKeys() {}

  /** A value of a field, and whether it sorts the other way around. */
  record Sorted(Value value, boolean inverted) {}

  /** The middle of a key, and whether its values may be longer than that. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never shown
  record Middle(byte[] bytes, boolean cut) {}

  static byte[] values(FieldPath field) {
    return new KeyWriter().put(VALUES).text(field.canonical()).toBytes();
  }

  static byte[] elements(FieldPath field) {
    return new KeyWriter().put(ELEMENTS).text(field.canonical()).toBytes();
  }

  static byte[] composite(Composite composite) {
    return new KeyWriter().put(COMPOSITE).text(composite.signature()).toBytes();
  }

  static Middle middle(byte[] index, List<Sorted> values) {
    KeyWriter out = new KeyWriter().put(index).limit(MAX_BYTES);
    values.forEach(value -> write(value, out));
    boolean cut = out.endLimit();
    return new Middle(out.toBytes(), cut);
  }

  private static void write(Sorted sorted, KeyWriter out) {
    int start = out.size();
    ValueKeys.write(sorted.value(), out);
    if (sorted.inverted()) {
      out.invertFrom(start);
    }
  }

  /**
   * Returns the first key of a stretch, or with {@code upper} the first after it.
   *
   * @param fixed the values of the fields before the one that the position is about
   * @param inverted whether that field sorts the other way around
   */
  static byte[] bound(
      Scope scope,
      byte[] index,
      List<Sorted> fixed,
      ValuePosition position,
      @Nullable String id,
      boolean inverted,
      boolean upper) {
    KeyWriter out = new KeyWriter().put(scope.indexes()).put(index).limit(MAX_BYTES);
    fixed.forEach(value -> write(value, out));
    position.write(out, inverted);
    if (out.endLimit()) { // all that begin alike are taken; whoever asked looks at the documents
      return upper ? out.put(KeyWriter.LAST).toBytes() : out.toBytes();
    }
    if (!position.isBesideKind()) {
      if (id != null) {
        scope.writeKey(id, out);
        return upper ? out.put(0).toBytes() : out.toBytes();
      }
      out.put(position.isBefore() ^ inverted ? KeyWriter.END : KeyWriter.LAST);
    }
    return out.toBytes();
  }
}
