package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Numbers;
import dev.syncguard.firestore.server.value.ValueKind;
import dev.syncguard.firestore.server.value.ValueOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one field. A document without the field never meets it. Comparisons with null or NaN, also as one of
 * several operands, are true of nothing; what asks for them is an operator of its own.
 */
record FieldTest(FieldPath field, Operator operator, Value operand) implements Filter {
  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS_THAN,
    LESS_THAN_OR_EQUAL,
    GREATER_THAN,
    GREATER_THAN_OR_EQUAL,
    IN,
    NOT_IN,
    ARRAY_CONTAINS,
    ARRAY_CONTAINS_ANY,
    IS_NULL,
    IS_NAN,
    IS_NOT_NULL,
    IS_NOT_NAN,
    /** The field is there; asked for by orders and aggregations. */
    EXISTS;

    /** Returns whether results are implicitly ordered by the field. */
    boolean isInequality() {
      return switch (this) {
        case NOT_EQUAL,
            NOT_IN,
            IS_NOT_NULL,
            IS_NOT_NAN,
            LESS_THAN,
            LESS_THAN_OR_EQUAL,
            GREATER_THAN,
            GREATER_THAN_OR_EQUAL -> true;
        default -> false;
      };
    }

    /** Returns whether every document that meets the condition has the same value there, which is the operand. */
    boolean isEquality() {
      return this == EQUAL || this == IS_NULL || this == IS_NAN;
    }
  }

  /** Returns the condition that a document has the field. */
  static FieldTest exists(FieldPath field) {
    return new FieldTest(field, Operator.EXISTS, Value.getDefaultInstance());
  }

  @Override
  public boolean matches(Document document) {
    Value value = DocumentOrder.value(document, field);
    return value != null && accepts(value);
  }

  private boolean accepts(Value value) {
    return switch (operator) {
      case EXISTS -> true;
      case IS_NULL -> isNull(value);
      case IS_NAN -> Numbers.isNaN(value);
      case IS_NOT_NULL -> !isNull(value);
      case IS_NOT_NAN -> !isNull(value) && !Numbers.isNaN(value);
      case EQUAL -> equal(value, operand);
      case NOT_EQUAL -> !isNull(operand) && !isNull(value) && !equal(value, operand);
      case LESS_THAN -> isComparable(value) && compare(value) < 0;
      case LESS_THAN_OR_EQUAL -> isComparable(value) && compare(value) <= 0;
      case GREATER_THAN -> isComparable(value) && compare(value) > 0;
      case GREATER_THAN_OR_EQUAL -> isComparable(value) && compare(value) >= 0;
      case IN -> contains(operand, value);
      case NOT_IN ->
        !isNull(value)
            && !contains(operand, value)
            && operands().stream().noneMatch(FieldTest::isNull);
      case ARRAY_CONTAINS -> contains(value, operand);
      case ARRAY_CONTAINS_ANY -> operands().stream().anyMatch(wanted -> contains(value, wanted));
    };
  }

  /** Returns the values of an operand that is a list. */
  List<Value> operands() {
    return operand.getArrayValue().getValuesList();
  }

  // NaN sorts below all numbers, but it is not less than any; null is alone in its kind.
  private boolean isComparable(Value value) {
    return ValueKind.of(value) == ValueKind.of(operand)
        && !isNull(operand)
        && !Numbers.isNaN(value)
        && !Numbers.isNaN(operand);
  }

  private int compare(Value value) {
    return ValueOrder.INSTANCE.compare(value, operand);
  }

  private static boolean contains(@Nullable Value array, Value wanted) {
    return array != null
        && array.getArrayValue().getValuesList().stream()
            .anyMatch(element -> equal(element, wanted));
  }

  private static boolean equal(Value a, Value b) {
    return !isNull(a) && !Numbers.isNaN(a) && ValueOrder.equal(a, b);
  }

  private static boolean isNull(Value value) {
    return ValueKind.of(value) == ValueKind.NULL;
  }
}
