package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.index.CompositeIndex;
import dev.syncguard.firestore.server.index.CompositeIndex.Order;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.query.FieldTest.Operator;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Refuses a query for which production would want an index that is not configured. Our own planner needs none; this is
 * for those who want to find out before they deploy.
 */
public final class IndexRequirement {
  private IndexRequirement() {}

  /** Returns if the configured and automatic indexes carry the query. */
  public static void check(Query query, IndexConfiguration configuration) {
    for (List<FieldTest> tests : DisjunctiveForm.of(query.filter())) {
      if (!isServed(query, tests, configuration)) {
        throw FirestoreServerException.failedPrecondition(
            "The query requires an index. You can create it here: "
                + "https://console.firebase.google.com/v1/r/project/"
                + query.parent().database().project() + "/firestore/indexes?collection="
                + query.collectionId());
      }
    }
  }

  private static boolean isServed(
      Query query, List<FieldTest> tests, IndexConfiguration configuration) {
    Set<FieldPath> fixed = new HashSet<>();
    Set<FieldPath> contained = new HashSet<>();
    for (FieldTest test : tests) {
      if (test.operator() == Operator.EQUAL) {
        fixed.add(test.field());
      } else if (test.operator() == Operator.ARRAY_CONTAINS) {
        contained.add(test.field());
      }
    }
    List<Ordering> sorted = query.orderings().stream()
        .filter(
            ordering -> !fixed.contains(ordering.field()) && !ordering.field().isName())
        .toList();
    fixed.remove(FieldPath.NAME);
    List<FieldPath> all = new ArrayList<>(fixed);
    all.addAll(contained);
    sorted.forEach(ordering -> all.add(ordering.field()));
    if (!all.stream().allMatch(field -> configuration.isIndexed(query.collectionId(), field))) {
      return false;
    }
    if (sorted.isEmpty()) {
      return true; // equalities alone are merged from the automatic indexes
    }
    boolean automatic =
        sorted.size() == 1 && fixed.isEmpty() && contained.isEmpty() && !query.allDescendants();
    return automatic
        || configuration.composites().stream()
            .anyMatch(index -> serves(index, query, fixed, contained, sorted));
  }

  private static boolean serves(
      CompositeIndex index,
      Query query,
      Set<FieldPath> fixed,
      Set<FieldPath> contained,
      List<Ordering> sorted) {
    if (!index.collectionId().equals(query.collectionId())
        || index.group() != query.allDescendants()) {
      return false;
    }
    List<CompositeIndex.Field> fields =
        index.fields().stream().filter(field -> !field.path().isName()).toList();
    int leading = fields.size() - sorted.size();
    if (leading < 0) {
      return false;
    }
    Set<FieldPath> unmatched = new HashSet<>(fixed);
    unmatched.addAll(contained);
    for (CompositeIndex.Field field : fields.subList(0, leading)) {
      unmatched.remove(field.path());
    }
    return unmatched.isEmpty()
        && (isSorted(fields.subList(leading, fields.size()), sorted, false)
            || isSorted(fields.subList(leading, fields.size()), sorted, true));
  }

  // An index can be read from either end.
  private static boolean isSorted(
      List<CompositeIndex.Field> fields, List<Ordering> sorted, boolean backwards) {
    for (int i = 0; i < sorted.size(); i++) {
      Order wanted = sorted.get(i).descending() == backwards ? Order.ASCENDING : Order.DESCENDING;
      if (!fields.get(i).path().equals(sorted.get(i).field()) || fields.get(i).order() != wanted) {
        return false;
      }
    }
    return true;
  }
}
