package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.StructuredQuery.FindNearest;
import dev.syncguard.firestore.server.index.CompositeIndex;
import dev.syncguard.firestore.server.index.CompositeIndex.Field;
import dev.syncguard.firestore.server.index.CompositeIndex.Order;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.query.FieldTest.Operator;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes production needs to answer one alternative of a query.
 *
 * <p>An index helps if it starts with fields that the alternative fixes (to a value, or to an element of an array) and ends
 * with exactly what the results are sorted by, in the same directions. Several such indexes are merged: together they must
 * start with all fixed fields. Where nothing is sorted, the automatic indexes of single fields are enough for that.
 *
 * @param fixed fields with one value
 * @param contained array fields with one element
 * @param sorted by what the results are sorted, the name left out
 * @param aggregated fields that follow, in either direction
 * @param vector what the neighbours are looked for in; such an index is never merged
 */
record IndexNeed(
    String collectionId,
    boolean group,
    Set<FieldPath> fixed,
    Set<FieldPath> contained,
    List<Ordering> sorted,
    boolean nameDescending,
    List<FieldPath> aggregated,
    @Nullable Field vector) {

  /** Returns what each alternative of the query needs. */
  static List<IndexNeed> of(Query query, List<FieldPath> aggregated) {
    return DisjunctiveForm.of(query.filter()).stream()
        .map(tests -> of(query, tests, aggregated))
        .toList();
  }

  private static IndexNeed of(Query query, List<FieldTest> tests, List<FieldPath> aggregated) {
    Set<FieldPath> fixed = new TreeSet<>();
    Set<FieldPath> contained = new TreeSet<>();
    for (FieldTest test : tests) {
      if (test.operator().isEquality()) {
        fixed.add(test.field());
      } else if (test.operator() == Operator.ARRAY_CONTAINS) {
        contained.add(test.field());
      }
    }
    List<Ordering> sorted = query.orderings().stream()
        .filter(
            ordering -> !fixed.contains(ordering.field()) && !ordering.field().isName())
        .toList();
    List<FieldPath> following = new TreeSet<>(aggregated)
        .stream()
            .filter(field -> !fixed.contains(field)
                && sorted.stream().noneMatch(ordering -> ordering.field().equals(field)))
            .toList();
    fixed.remove(FieldPath.NAME);
    List<Ordering> orderings = query.orderings();
    return new IndexNeed(
        query.collectionId(),
        query.allDescendants(),
        fixed,
        contained,
        sorted,
        orderings.get(orderings.size() - 1).descending(),
        following,
        query.nearest() == null ? null : vector(query.nearest()));
  }

  private static Field vector(FindNearest nearest) {
    return new Field(
        FieldPath.parse(nearest.getVectorField().getFieldPath()),
        Order.VECTOR,
        Vectors.elements(nearest.getQueryVector()).getValuesCount());
  }

  /** Returns whether the indexes that there are suffice. */
  boolean isMetBy(IndexConfiguration configuration) {
    if (collectionId.isEmpty()) {
      return true; // such a query knows names only
    }
    if (vector != null) {
      return configuration.composites().stream().anyMatch(this::findsNeighbours);
    }
    Set<FieldPath> missing = new HashSet<>(fixed);
    missing.addAll(contained);
    boolean unsorted = sorted.isEmpty() && aggregated.isEmpty();
    if (missing.isEmpty() && unsorted) {
      return true;
    }
    boolean found = unsorted;
    for (CompositeIndex index : candidates(configuration)) {
      Optional<Set<FieldPath>> covered = covered(index);
      found |= covered.isPresent();
      covered.ifPresent(missing::removeAll);
    }
    return found && missing.isEmpty();
  }

  private List<CompositeIndex> candidates(IndexConfiguration configuration) {
    List<CompositeIndex> candidates = new ArrayList<>();
    configuration.composites().stream()
        .filter(index -> index.collectionId().equals(collectionId) && index.group() == group)
        .forEach(candidates::add);
    for (FieldPath field : fields()) {
      configuration.singleFields(collectionId, field).stream()
          .filter(index -> index.group() == group)
          .forEach(index -> candidates.add(
              new CompositeIndex(collectionId, group, List.of(new Field(field, index.order())))));
    }
    return candidates;
  }

  /** Returns all fields in the order of an index that would do on its own. */
  Set<FieldPath> fields() {
    Set<FieldPath> fields = new LinkedHashSet<>(fixed);
    fields.addAll(contained);
    sorted.forEach(ordering -> fields.add(ordering.field()));
    fields.addAll(aggregated);
    return fields;
  }

  /** Returns the fixed fields that the index starts with, or nothing if it does not go on as it must. */
  private Optional<Set<FieldPath>> covered(CompositeIndex index) {
    List<Field> fields = new ArrayList<>(index.fields());
    Field last = fields.get(fields.size() - 1);
    boolean namedDescending = last.order() == Order.DESCENDING;
    if (last.path().isName()) {
      fields.remove(fields.size() - 1);
    }
    int start = fields.size() - sorted.size() - aggregated.size();
    if (start < 0
        || !fields.subList(0, start).stream().allMatch(this::isFixed)
        || !isTail(fields.subList(start, fields.size()), namedDescending)) {
      return Optional.empty();
    }
    Set<FieldPath> covered = new HashSet<>();
    fields.subList(0, start).forEach(field -> covered.add(field.path()));
    return Optional.of(covered);
  }

  private boolean isFixed(Field field) {
    return switch (field.order()) {
      case ASCENDING, DESCENDING -> fixed.contains(field.path());
      case CONTAINS -> contained.contains(field.path());
      case VECTOR -> false;
    };
  }

  private boolean isTail(List<Field> tail, boolean namedDescending) {
    for (int i = 0; i < aggregated.size(); i++) {
      Field field = tail.get(sorted.size() + i);
      if (!field.path().equals(aggregated.get(i)) || !isOrder(field.order())) {
        return false;
      }
    }
    List<Field> leading = tail.subList(0, sorted.size());
    // Aggregates come in no order.
    boolean anyName = sorted.isEmpty() || !aggregated.isEmpty();
    return isSorted(leading) && (anyName || namedDescending == nameDescending);
  }

  private static boolean isOrder(Order order) {
    return order == Order.ASCENDING || order == Order.DESCENDING;
  }

  private boolean isSorted(List<Field> fields) {
    for (int i = 0; i < sorted.size(); i++) {
      Ordering wanted = sorted.get(i);
      if (!fields.get(i).path().equals(wanted.field())
          || fields.get(i).order() != order(wanted.descending())) {
        return false;
      }
    }
    return true;
  }

  private boolean findsNeighbours(CompositeIndex index) {
    List<Field> fields = index.fields();
    Set<FieldPath> filtered = new HashSet<>(fields());
    for (Field field : fields.subList(0, fields.size() - 1)) {
      if (!filtered.remove(field.path())
          || (field.order() == Order.CONTAINS) != contained.contains(field.path())) {
        return false;
      }
    }
    return index.collectionId().equals(collectionId)
        && index.group() == group
        && filtered.isEmpty()
        && fields.get(fields.size() - 1).equals(vector);
  }

  /** Returns one index that would be enough. */
  CompositeIndex sufficient() {
    List<Field> fields = new ArrayList<>();
    fixed.forEach(field -> fields.add(new Field(field, Order.ASCENDING)));
    contained.forEach(field -> fields.add(new Field(field, Order.CONTAINS)));
    sorted.forEach(
        ordering -> fields.add(new Field(ordering.field(), order(ordering.descending()))));
    aggregated.forEach(field -> fields.add(new Field(field, Order.ASCENDING)));
    if (vector != null) {
      fields.add(vector);
    } else if (!sorted.isEmpty()
        && aggregated.isEmpty()
        && sorted.get(sorted.size() - 1).descending() != nameDescending) {
      fields.add(new Field(FieldPath.NAME, order(nameDescending)));
    }
    return new CompositeIndex(collectionId, group, fields);
  }

  private static Order order(boolean descending) {
    return descending ? Order.DESCENDING : Order.ASCENDING;
  }
}
