package dev.syncguard.firestore.server.query;

import static dev.syncguard.firestore.server.FirestoreServerException.invalid;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One condition of a query as it was sent, not yet judged.
 *
 * @param operator its name on the wire
 * @param operand says nothing if the operator is unary
 */
record Condition(FieldPath field, String operator, Value operand) {
  private static final Set<String> LISTS = Set.of("IN", "NOT_IN", "ARRAY_CONTAINS_ANY");
  private static final Set<String> NEGATIONS =
      Set.of("NOT_EQUAL", "NOT_IN", "IS_NOT_NAN", "IS_NOT_NULL");
  private static final Set<String> RANGES =
      Set.of("LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL");

  boolean is(String name) {
    return operator.equals(name);
  }

  boolean isUnary() {
    return operator.startsWith("IS_");
  }

  boolean takesList() {
    return LISTS.contains(operator);
  }

  boolean isNegation() {
    return NEGATIONS.contains(operator);
  }

  /** Returns whether results are implicitly ordered by the field. */
  boolean isInequality() {
    return isNegation() || RANGES.contains(operator);
  }

  /** Returns the values to compare with, of which there may be many. */
  List<Value> operands() {
    return takesList() ? operand.getArrayValue().getValuesList() : List.of(operand);
  }

  /**
   * All conditions of a query.
   *
   * @param hasAlternatives whether some of them stand in an OR of two or more
   */
  record Group(List<Condition> all, boolean hasAlternatives) {
    private static final int MAX_DEPTH = 100;

    static Group of(StructuredQuery query) {
      List<Condition> conditions = new ArrayList<>();
      boolean alternatives = query.hasWhere() && collect(query.getWhere(), 0, conditions);
      return new Group(List.copyOf(conditions), alternatives);
    }

    long count(Predicate<Condition> test) {
      return all.stream().filter(test).count();
    }

    private static boolean collect(
        StructuredQuery.Filter filter, int depth, List<Condition> conditions) {
      if (depth > MAX_DEPTH) {
        throw invalid("The filter is nested deeper than " + MAX_DEPTH + " levels.");
      }
      switch (filter.getFilterTypeCase()) {
        case COMPOSITE_FILTER -> {
          return collect(filter.getCompositeFilter(), depth, conditions);
        }
        case FIELD_FILTER -> conditions.add(of(filter.getFieldFilter()));
        case UNARY_FILTER -> conditions.add(of(filter.getUnaryFilter()));
        case FILTERTYPE_NOT_SET ->
          throw invalid("A filter must be a field, unary or composite filter, but is empty.");
      }
      return false;
    }

    private static boolean collect(CompositeFilter filter, int depth, List<Condition> conditions) {
      switch (filter.getOp()) {
        case AND, OR -> {}
        default -> throw invalid("Unsupported CompositeFilter operator.");
      }
      if (filter.getFiltersCount() == 0) {
        throw invalid("A composite filter has at least one filter.");
      }
      boolean alternatives =
          filter.getOp() == CompositeFilter.Operator.OR && filter.getFiltersCount() > 1;
      for (StructuredQuery.Filter part : filter.getFiltersList()) {
        alternatives |= collect(part, depth + 1, conditions);
      }
      return alternatives;
    }

    private static Condition of(FieldFilter filter) {
      switch (filter.getOp()) {
        case OPERATOR_UNSPECIFIED, UNRECOGNIZED -> throw invalid("Unknown FieldFilter operator.");
        default -> {}
      }
      return new Condition(
          FieldPath.parse(filter.getField().getFieldPath()),
          filter.getOp().name(),
          filter.getValue());
    }

    private static Condition of(UnaryFilter filter) {
      switch (filter.getOp()) {
        case OPERATOR_UNSPECIFIED, UNRECOGNIZED -> throw invalid("Unknown UnaryFilter operator.");
        default -> {}
      }
      return new Condition(
          FieldPath.parse(filter.getField().getFieldPath()),
          filter.getOp().name(),
          Value.getDefaultInstance());
    }
  }
}
