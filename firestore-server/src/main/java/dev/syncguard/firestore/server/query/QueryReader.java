package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.Direction;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks a query as it was sent and fills in what it implies. */
final class QueryReader {
  private final ParentName parent;
  private final StructuredQuery query;

  QueryReader(ParentName parent, StructuredQuery query) {
    this.parent = parent;
    this.query = query;
  }

  Query read() {
    CollectionSelector from = selector();
    Filter filter = query.hasWhere() ? FilterReader.read(query.getWhere()) : Filter.TRUE;
    List<Ordering> orderings = orderings(filter);
    if (query.hasLimit() && query.getLimit().getValue() < 0) {
      throw FirestoreServerException.invalid("limit is negative");
    }
    if (query.getOffset() < 0) {
      throw FirestoreServerException.invalid("offset is negative");
    }
    if (query.hasFindNearest()) {
      NearestNeighbours.check(query.getFindNearest());
    }
    return new Query(
        parent,
        from.getCollectionId(),
        from.getAllDescendants(),
        filter,
        orderings,
        query.hasStartAt() ? cursor(query.getStartAt(), orderings) : null,
        query.hasEndAt() ? cursor(query.getEndAt(), orderings) : null,
        query.getOffset(),
        query.hasLimit() ? query.getLimit().getValue() : -1,
        projection(),
        query.hasFindNearest() ? query.getFindNearest() : null);
  }

  private CollectionSelector selector() {
    if (query.getFromCount() != 1) {
      if (query.getFromCount() == 0) {
        return CollectionSelector.newBuilder().setAllDescendants(true).build();
      }
      throw FirestoreServerException.invalid(
          "A query must be over exactly one collection selector.");
    }
    CollectionSelector from = query.getFrom(0);
    if (from.getCollectionId().isEmpty()) {
      return from.toBuilder().setAllDescendants(true).build();
    }
    parent.collectionPath(from.getCollectionId());
    return from;
  }

  private List<Ordering> orderings(Filter filter) {
    List<Ordering> orderings = new ArrayList<>();
    boolean descending = false;
    for (StructuredQuery.Order order : query.getOrderByList()) {
      descending = order.getDirection() == Direction.DESCENDING;
      FieldPath field = FieldPath.parse(order.getField().getFieldPath());
      if (contains(orderings, field)) {
        throw FirestoreServerException.invalid("A query cannot be ordered by " + field + " twice.");
      }
      orderings.add(new Ordering(field, descending));
    }
    SortedSet<FieldPath> inequalities = new TreeSet<>();
    collectInequalities(filter, inequalities);
    for (FieldPath field : inequalities) {
      if (!contains(orderings, field) && !field.isName()) {
        orderings.add(new Ordering(field, descending));
      }
    }
    if (!contains(orderings, FieldPath.NAME)) {
      orderings.add(new Ordering(FieldPath.NAME, descending));
    }
    return List.copyOf(orderings);
  }

  private static boolean contains(List<Ordering> orderings, FieldPath field) {
    return orderings.stream().anyMatch(ordering -> ordering.field().equals(field));
  }

  private static void collectInequalities(Filter filter, SortedSet<FieldPath> fields) {
    if (filter instanceof FieldTest test) {
      if (test.operator().isInequality()) {
        fields.add(test.field());
      }
    } else if (filter instanceof Filter.All all) {
      all.parts().forEach(part -> collectInequalities(part, fields));
    } else if (filter instanceof Filter.Any any) {
      any.parts().forEach(part -> collectInequalities(part, fields));
    }
  }

  private static Cursor cursor(Cursor cursor, List<Ordering> orderings) {
    if (cursor.getValuesCount() > orderings.size()) {
      throw FirestoreServerException.invalid("A cursor has more values than the query has orders.");
    }
    for (int i = 0; i < cursor.getValuesCount(); i++) {
      if (orderings.get(i).field().isName() && !cursor.getValues(i).hasReferenceValue()) {
        throw FirestoreServerException.invalid(
            "A cursor's value for __name__ must be a reference.");
      }
    }
    return cursor;
  }

  private @Nullable List<FieldPath> projection() {
    if (!query.hasSelect()) {
      return null;
    }
    return query.getSelect().getFieldsList().stream()
        .map(field -> FieldPath.parse(field.getFieldPath()))
        .toList();
  }
}
