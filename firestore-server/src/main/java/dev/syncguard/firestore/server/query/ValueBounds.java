package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.ValuePosition;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.ValueKind;
import java.util.List;

/** The stretch of an index that the tests on one field leave. */
final class ValueBounds {
  private ValueBounds() {}

  static IndexRange of(FieldPath field, List<FieldTest> tests) {
    ValuePosition from = IndexRange.ALL.from();
    ValuePosition to = IndexRange.ALL.to();
    for (FieldTest test : tests) {
      if (test.field().equals(field)) {
        IndexRange range = of(test);
        from = ValuePosition.later(from, range.from());
        to = ValuePosition.earlier(to, range.to());
      }
    }
    return IndexRange.between(from, to);
  }

  private static IndexRange of(FieldTest test) {
    Value operand = test.operand();
    ValueKind kind = ValueKind.of(operand);
    return switch (test.operator()) {
      case EQUAL, IS_NULL, IS_NAN -> IndexRange.only(operand);
      case LESS_THAN ->
        IndexRange.between(ValuePosition.before(kind), ValuePosition.before(operand));
      case LESS_THAN_OR_EQUAL ->
        IndexRange.between(ValuePosition.before(kind), ValuePosition.after(operand));
      case GREATER_THAN ->
        IndexRange.between(ValuePosition.after(operand), ValuePosition.after(kind));
      case GREATER_THAN_OR_EQUAL ->
        IndexRange.between(ValuePosition.before(operand), ValuePosition.after(kind));
      default -> IndexRange.ALL;
    };
  }
}
