package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.query.FieldTest.Operator;
import dev.syncguard.firestore.server.store.Composite;
import dev.syncguard.firestore.server.store.Composite.Order;
import dev.syncguard.firestore.server.store.Composite.Part;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an index over several fields serves a query: its first fields have fixed values, and the others are just the orders
 * of the query, all of them in the index's directions or all in the opposite ones.
 *
 * @param fixed the values of the first fields
 * @param last the value of the field after them, if all have fixed values
 * @param next that field, if it is one to sort by
 */
record CompositeMatch(
    List<Value> fixed, Value last, @Nullable FieldPath next, boolean descending) {
  /** @param orderings those that decide something, with the name last */
  static @Nullable CompositeMatch of(
      Composite composite, List<FieldTest> tests, List<Ordering> orderings) {
    List<Part> parts = composite.parts();
    List<Value> fixed = new ArrayList<>();
    for (Value value = value(parts, 0, tests); value != null; ) {
      fixed.add(value);
      value = value(parts, fixed.size(), tests);
    }
    List<Part> sorted = parts.subList(fixed.size(), parts.size());
    if (orderings.size() != sorted.size() + 1
        || !orderings.get(sorted.size()).field().isName()) {
      return null;
    }
    boolean descending = orderings.get(sorted.size()).descending() != composite.descendingNames();
    for (int i = 0; i < sorted.size(); i++) {
      Ordering ordering = orderings.get(i);
      Part part = sorted.get(i);
      boolean opposite = ordering.descending() != (part.order() == Order.DESCENDING);
      if (part.order() == Order.CONTAINS
          || !part.field().equals(ordering.field())
          || opposite != descending) {
        return null;
      }
    }
    if (!sorted.isEmpty()) {
      return new CompositeMatch(
          fixed, Value.getDefaultInstance(), sorted.get(0).field(), descending);
    }
    Value last = fixed.remove(fixed.size() - 1);
    return new CompositeMatch(fixed, last, null, descending);
  }

  /** Returns the one value that a field of the index has in all matches, or null. */
  private static @Nullable Value value(List<Part> parts, int place, List<FieldTest> tests) {
    if (place == parts.size()) {
      return null;
    }
    Part part = parts.get(place);
    for (FieldTest test : tests) {
      boolean fixes = part.order() == Order.CONTAINS
          ? test.operator() == Operator.ARRAY_CONTAINS
          : test.operator().isEquality();
      if (fixes && test.field().equals(part.field())) {
        return test.operand();
      }
    }
    return null;
  }
}
