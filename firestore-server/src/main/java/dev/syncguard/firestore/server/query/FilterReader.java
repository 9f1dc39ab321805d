package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import com.google.protobuf.NullValue;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.query.FieldTest.Operator;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/** Checks the condition of a query as it was sent. */
final class FilterReader {
  private static final Value NULL =
      Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
  private static final Value NAN = Value.newBuilder().setDoubleValue(Double.NaN).build();
  private static final int MAX_NOT_IN = 10;
  private static final int MAX_DEPTH = 100;

  private FilterReader() {}

  static Filter read(StructuredQuery.Filter filter) {
    Filter read = read(filter, 0);
    DisjunctiveForm.check(read);
    return read;
  }

  private static Filter read(StructuredQuery.Filter filter, int depth) {
    if (depth > MAX_DEPTH) {
      throw FirestoreServerException.invalid(
          "The filter is nested deeper than " + MAX_DEPTH + " levels.");
    }
    return switch (filter.getFilterTypeCase()) {
      case COMPOSITE_FILTER -> composite(filter.getCompositeFilter(), depth);
      case FIELD_FILTER -> field(filter.getFieldFilter());
      case UNARY_FILTER -> unary(filter.getUnaryFilter());
      case FILTERTYPE_NOT_SET ->
        throw FirestoreServerException.invalid("A filter says nothing to filter by.");
    };
  }

  private static Filter composite(CompositeFilter filter, int depth) {
    List<Filter> parts =
        filter.getFiltersList().stream().map(part -> read(part, depth + 1)).toList();
    if (parts.isEmpty()) {
      throw FirestoreServerException.invalid("A composite filter has at least one part.");
    }
    return switch (filter.getOp()) {
      case AND -> new Filter.All(parts);
      case OR -> new Filter.Any(parts);
      default -> throw FirestoreServerException.invalid("A composite filter must be AND or OR.");
    };
  }

  private static Filter unary(UnaryFilter filter) {
    FieldPath field = FieldPath.parse(filter.getField().getFieldPath());
    return switch (filter.getOp()) {
      case IS_NULL -> new FieldTest(field, Operator.EQUAL, NULL);
      case IS_NAN -> new FieldTest(field, Operator.EQUAL, NAN);
      case IS_NOT_NULL -> new FieldTest(field, Operator.NOT_EQUAL, NULL);
      case IS_NOT_NAN -> new FieldTest(field, Operator.NOT_EQUAL, NAN);
      default -> throw FirestoreServerException.invalid("Unknown operator of a unary filter.");
    };
  }

  private static Filter field(FieldFilter filter) {
    FieldPath field = FieldPath.parse(filter.getField().getFieldPath());
    Operator operator = operator(filter.getOp());
    Value operand = filter.getValue();
    switch (operator) {
      case IN, NOT_IN, ARRAY_CONTAINS_ANY -> requireList(filter.getOp().name(), operand);
      default -> {
        if (operand.getValueTypeCase() == Value.ValueTypeCase.VALUETYPE_NOT_SET) {
          throw FirestoreServerException.invalid("A field filter must have a value.");
        }
      }
    }
    if (operator == Operator.NOT_IN && operand.getArrayValue().getValuesCount() > MAX_NOT_IN) {
      throw FirestoreServerException.invalid(
          "'NOT_IN' supports up to " + MAX_NOT_IN + " comparison values.");
    }
    if (field.isName()) {
      requireReferences(operator, operand);
    }
    return new FieldTest(field, operator, operand);
  }

  private static Operator operator(FieldFilter.Operator operator) {
    return switch (operator) {
      case LESS_THAN -> Operator.LESS_THAN;
      case LESS_THAN_OR_EQUAL -> Operator.LESS_THAN_OR_EQUAL;
      case GREATER_THAN -> Operator.GREATER_THAN;
      case GREATER_THAN_OR_EQUAL -> Operator.GREATER_THAN_OR_EQUAL;
      case EQUAL -> Operator.EQUAL;
      case NOT_EQUAL -> Operator.NOT_EQUAL;
      case ARRAY_CONTAINS -> Operator.ARRAY_CONTAINS;
      case IN -> Operator.IN;
      case ARRAY_CONTAINS_ANY -> Operator.ARRAY_CONTAINS_ANY;
      case NOT_IN -> Operator.NOT_IN;
      default -> throw FirestoreServerException.invalid("Unknown operator of a field filter.");
    };
  }

  private static void requireList(String operator, Value operand) {
    if (!operand.hasArrayValue() || operand.getArrayValue().getValuesCount() == 0) {
      throw FirestoreServerException.invalid("'" + operator + "' requires a non-empty ArrayValue.");
    }
  }

  private static void requireReferences(Operator operator, Value operand) {
    List<Value> operands = operator == Operator.IN || operator == Operator.NOT_IN
        ? operand.getArrayValue().getValuesList()
        : List.of(operand);
    if (operator == Operator.ARRAY_CONTAINS || operator == Operator.ARRAY_CONTAINS_ANY) {
      throw FirestoreServerException.invalid("__name__ is not an array.");
    }
    if (!operands.stream().allMatch(Value::hasReferenceValue)) {
      throw FirestoreServerException.invalid("__key__ filter value must be a Key");
    }
  }
}
