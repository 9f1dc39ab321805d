package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of an index: from one position to another, and where a position is at a value, from or to one document among
 * those that share the value. A stretch that ends before it starts is empty.
 */
public record IndexRange(
    ValuePosition from,
    @Nullable IdPosition fromId,
    ValuePosition to,
    @Nullable IdPosition toId) {
  /** Every value there is. */
  public static final IndexRange ALL =
      between(ValuePosition.before(ValueKind.NULL), ValuePosition.after(ValueKind.MAP));

  /** A place directly before (negative side) or after (positive side) the key of a document. */
  public record IdPosition(String id, int side) {}

  /** Returns the documents that have exactly this value. */
  public static IndexRange only(Value value) {
    return between(ValuePosition.before(value), ValuePosition.after(value));
  }

  /** Returns the documents with this value, from one id to another. */
  public static IndexRange only(
      Value value, @Nullable IdPosition fromId, @Nullable IdPosition toId) {
    return new IndexRange(
        fromId == null ? ValuePosition.before(value) : ValuePosition.at(value),
        fromId,
        toId == null ? ValuePosition.after(value) : ValuePosition.at(value),
        toId);
  }

  /** Returns the documents whose value lies between two positions. */
  public static IndexRange between(ValuePosition from, ValuePosition to) {
    return new IndexRange(from, null, to, null);
  }
}
