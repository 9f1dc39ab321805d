package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.Direction;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Fills in what a valid query implies. */
final class QueryReader {
  private final ParentName parent;
  private final StructuredQuery query;

  QueryReader(ParentName parent, StructuredQuery query) {
    this.parent = parent;
    this.query = query;
  }

  Query read() {
    QueryValidity.check(parent, query);
    CollectionSelector from =
        query.getFromCount() == 0 ? CollectionSelector.getDefaultInstance() : query.getFrom(0);
    Filter filter = FilterReader.read(query);
    return new Query(
        parent,
        from.getCollectionId(),
        from.getAllDescendants(),
        filter,
        orderings(filter),
        query.hasStartAt() ? query.getStartAt() : null,
        query.hasEndAt() ? query.getEndAt() : null,
        query.getOffset(),
        query.hasLimit() ? query.getLimit().getValue() : -1,
        projection(),
        query.hasFindNearest() ? query.getFindNearest() : null);
  }

  private List<Ordering> orderings(Filter filter) {
    List<Ordering> orderings = new ArrayList<>();
    boolean descending = false;
    for (StructuredQuery.Order order : query.getOrderByList()) {
      descending = order.getDirection() == Direction.DESCENDING;
      FieldPath field = FieldPath.parse(order.getField().getFieldPath());
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

  private @Nullable List<FieldPath> projection() {
    if (!query.hasSelect()) {
      return null;
    }
    return query.getSelect().getFieldsList().stream()
        .map(field -> FieldPath.parse(field.getFieldPath()))
        .toList();
  }
}
