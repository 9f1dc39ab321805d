package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.ValuePosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the cursors of a query let a scan start and end, so that a later page does not read the earlier ones. The bounds
 * are generous; the exact cut is made on the results.
 */
final class CursorBounds {
  private final CollectionView collection;
  private final String prefix;
  private final List<Ordering> allOrderings;
  /** Whether the first value of a cursor belongs to the first order that decides something. */
  private final boolean leads;

  private final @Nullable Cursor low;
  private final @Nullable Cursor high;

  CursorBounds(Query query, CollectionView collection, List<Ordering> deciding) {
    this.collection = collection;
    this.prefix = query.parent().database().documents() + "/";
    this.allOrderings = query.orderings();
    boolean descending = !deciding.isEmpty() && deciding.get(0).descending();
    this.leads = !deciding.isEmpty() && deciding.get(0).equals(allOrderings.get(0));
    this.low = descending ? query.end() : query.start();
    this.high = descending ? query.start() : query.end();
  }

  /** Narrows a range over the leading order's field. */
  IndexRange narrow(IndexRange range, boolean thenByName) {
    ValuePosition from = range.from();
    ValuePosition to = range.to();
    Value lowest = first(low);
    Value highest = first(high);
    if (lowest != null) {
      from = ValuePosition.later(from, ValuePosition.before(lowest));
    }
    if (highest != null) {
      to = ValuePosition.earlier(to, ValuePosition.after(highest));
    }
    // An id counts only among documents of the cursor's value, so only if that value is the bound.
    boolean fromLowest = lowest != null && ValuePosition.before(lowest).isSameAs(from);
    boolean toHighest = highest != null && ValuePosition.after(highest).isSameAs(to);
    return new IndexRange(
        from,
        thenByName && fromLowest ? id(low, 1) : null,
        to,
        thenByName && toHighest ? id(high, 1) : null);
  }

  /** Returns the documents of one value that lie within the cursors, where the results are ordered by name. */
  IndexRange among(Value value) {
    return IndexRange.only(value, id(low, 0), id(high, 0));
  }

  /** Returns the id at which a scan by name may start, or null. */
  @Nullable
  String lowestId() {
    return id(low, 0);
  }

  /** Returns the id at which a scan by name may end, or null. */
  @Nullable
  String highestId() {
    return id(high, 0);
  }

  // A fixed field decides nothing, but a cursor still has its value; the two lists then no longer
  // match.
  private @Nullable Value first(@Nullable Cursor cursor) {
    return cursor == null
            || !leads
            || cursor.getValuesCount() == 0
            || allOrderings.get(0).field().isName()
        ? null
        : cursor.getValues(0);
  }

  private @Nullable String id(@Nullable Cursor cursor, int index) {
    if (cursor == null
        || !leads
        || cursor.getValuesCount() <= index
        || !allOrderings.get(index).field().isName()) {
      return null;
    }
    String name = cursor.getValues(index).getReferenceValue();
    return name.startsWith(prefix) ? collection.keyOf(name.substring(prefix.length())) : null;
  }
}
