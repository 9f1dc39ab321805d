package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Masks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A query that was found valid, with all that it leaves unsaid filled in: the orders it implies and the name as last
 * order. Thread-safe.
 *
 * @param collectionId empty for all collections directly below the parent, or at any depth
 * @param limit negative for none
 * @param projection the fields to return, or null for all
 */
public record Query(
    ParentName parent,
    String collectionId,
    boolean allDescendants,
    Filter filter,
    List<Ordering> orderings,
    @Nullable Cursor start,
    @Nullable Cursor end,
    int offset,
    int limit,
    @Nullable List<FieldPath> projection,
    StructuredQuery.@Nullable FindNearest nearest) {

  /** Returns the valid form of a query as it was sent. */
  public static Query of(ParentName parent, StructuredQuery query) {
    return new QueryReader(parent, query).read();
  }

  /** Returns the same query over only those documents that have all the fields. */
  Query requiring(List<FieldPath> fields) {
    List<Filter> parts = new ArrayList<>(List.of(filter));
    fields.forEach(field -> parts.add(FieldTest.exists(field)));
    return new Query(
        parent,
        collectionId,
        allDescendants,
        new Filter.All(parts),
        orderings,
        start,
        end,
        offset,
        limit,
        projection,
        nearest);
  }

  /** Returns the order of the results. */
  DocumentOrder order() {
    return new DocumentOrder(orderings);
  }

  /** Returns whether a change of one document can move others into or out of the results. */
  public boolean isWindow() {
    return limit >= 0 || offset > 0 || nearest != null;
  }

  /** Returns whether the document would be a result if there were no offset and no limit. */
  public boolean matches(Document document) {
    return isInScope(document.getName())
        && filter.matches(document)
        && orderings.stream()
            .allMatch(ordering -> DocumentOrder.value(document, ordering.field()) != null)
        && isWithinCursors(document);
  }

  /** A value that documents have in a field. */
  public record FixedValue(FieldPath field, Value value) {}

  /** Returns values of which every result has at least one, or nothing if results need not have any. */
  public Optional<List<FixedValue>> fixedValues() {
    List<FixedValue> values = new ArrayList<>();
    for (List<FieldTest> alternative : DisjunctiveForm.of(filter)) {
      Optional<FieldTest> fixed = alternative.stream()
          .filter(test -> test.operator().isEquality() && !test.field().isName())
          .findFirst();
      if (fixed.isEmpty()) {
        return Optional.empty();
      }
      values.add(new FixedValue(fixed.get().field(), fixed.get().operand()));
    }
    return Optional.of(values);
  }

  /** Returns the document with only those fields that the query asks for. */
  public Document project(Document document) {
    return projection == null ? document : Masks.project(document, projection);
  }

  /** Returns the values of a document by which the results are ordered, for a cursor. */
  public List<Value> positionAfter(Document document) {
    return orderings.stream()
        .map(ordering -> Objects.requireNonNull(DocumentOrder.value(document, ordering.field())))
        .toList();
  }

  boolean isWithinCursors(Document document) {
    return !isBeforeStart(document) && !isAfterEnd(document);
  }

  boolean isBeforeStart(Document document) {
    if (start == null) {
      return false;
    }
    int order = order().compare(document, start.getValuesList());
    return order < 0 || (order == 0 && !start.getBefore());
  }

  boolean isAfterEnd(Document document) {
    if (end == null) {
      return false;
    }
    int order = order().compare(document, end.getValuesList());
    return order > 0 || (order == 0 && end.getBefore());
  }

  private boolean isInScope(String name) {
    String prefix = parent + "/";
    if (!name.startsWith(prefix)) {
      return false;
    }
    String path = name.substring(prefix.length());
    int lastSlash = path.lastIndexOf('/');
    String collection = path.substring(0, lastSlash);
    String id = collection.substring(collection.lastIndexOf('/') + 1);
    return allDescendants
        ? collectionId.isEmpty() || id.equals(collectionId)
        : collection.equals(collectionId)
            || (collectionId.isEmpty() && collection.indexOf('/') < 0);
  }
}
