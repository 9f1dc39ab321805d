package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.ValueKind;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of an index: from one position to another. One that ends before it starts is empty.
 *
 * @param fromId where to start among the documents that share the value of {@code from}, or null for the first of them
 * @param toId where to end among those that share the value of {@code to}, or null for the last
 */
public record IndexRange(
    ValuePosition from,
    @Nullable String fromId,
    ValuePosition to,
    @Nullable String toId) {
  /** Every value there is. */
  public static final IndexRange ALL =
      between(ValuePosition.before(ValueKind.NULL), ValuePosition.after(ValueKind.MAP));

  /** Returns the documents that have exactly this value. */
  public static IndexRange only(Value value) {
    return only(value, null, null);
  }

  /** Returns the documents with this value, from one id to another. */
  public static IndexRange only(Value value, @Nullable String fromId, @Nullable String toId) {
    return new IndexRange(ValuePosition.before(value), fromId, ValuePosition.after(value), toId);
  }

  /** Returns the documents whose value lies between two positions. */
  public static IndexRange between(ValuePosition from, ValuePosition to) {
    return new IndexRange(from, null, to, null);
  }
}
