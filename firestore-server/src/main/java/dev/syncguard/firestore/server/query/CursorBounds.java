package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.IndexRange.IdPosition;
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
    return precise(
        from,
        thenByName ? id(low, 1, -1) : null,
        lowest,
        to,
        thenByName ? id(high, 1, 1) : null,
        highest);
  }

  // A position at the cursor's value may only replace the bound that this very value set.
  private static IndexRange precise(
      ValuePosition from,
      @Nullable IdPosition fromId,
      @Nullable Value lowest,
      ValuePosition to,
      @Nullable IdPosition toId,
      @Nullable Value highest) {
    IndexRange range = IndexRange.between(from, to);
    if (fromId != null && lowest != null && ValuePosition.before(lowest).isSameAs(from)) {
      range = new IndexRange(ValuePosition.at(lowest), fromId, to, null);
    }
    if (toId != null && highest != null && ValuePosition.after(highest).isSameAs(to)) {
      range = new IndexRange(range.from(), range.fromId(), ValuePosition.at(highest), toId);
    }
    return range;
  }

  /** Returns the documents of one value that lie within the cursors, where the results are ordered by name. */
  IndexRange among(Value value) {
    return IndexRange.only(value, id(low, 0, -1), id(high, 0, 1));
  }

  /** Returns the id at which a scan by name may start, or null. */
  @Nullable
  String lowestId() {
    IdPosition position = id(low, 0, -1);
    return position == null ? null : position.id();
  }

  /** Returns the id at which a scan by name may end, or null. */
  @Nullable
  String highestId() {
    IdPosition position = id(high, 0, 1);
    return position == null ? null : position.id();
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

  private @Nullable IdPosition id(@Nullable Cursor cursor, int index, int side) {
    if (cursor == null
        || !leads
        || cursor.getValuesCount() <= index
        || !allOrderings.get(index).field().isName()) {
      return null;
    }
    String name = cursor.getValues(index).getReferenceValue();
    String key = name.startsWith(prefix) ? collection.keyOf(name.substring(prefix.length())) : null;
    return key == null ? null : new IdPosition(key, side);
  }
}
