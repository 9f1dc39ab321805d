package dev.syncguard.firestore.server.query;

import static dev.syncguard.firestore.server.FirestoreServerException.failedPrecondition;
import static dev.syncguard.firestore.server.FirestoreServerException.invalid;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.FindNearest;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.query.Condition.Group;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Vectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every reason to refuse a query, whatever the database holds: what production refuses, with its status and, where it is
 * known, its words. A query that passes can be read without further questions.
 */
final class QueryValidity {
  private static final int MAX_IN = 30;
  private static final int MAX_NOT_IN = 10;
  private static final int MAX_INEQUALITY_FIELDS = 10;
  private static final int MAX_PARTS = 100;
  private static final int MAX_NEIGHBOURS = 1000;

  private final ParentName parent;
  private final StructuredQuery query;
  private final Group conditions;

  private QueryValidity(ParentName parent, StructuredQuery query) {
    this.parent = parent;
    this.query = query;
    this.conditions = Group.of(query);
  }

  static void check(ParentName parent, StructuredQuery query) {
    QueryValidity validity = new QueryValidity(parent, query);
    validity.checkFrom();
    validity.conditions.all().forEach(QueryValidity::checkOperand);
    validity.checkNegations();
    validity.checkInequalities();
    validity.checkDisjunctions();
    validity.checkOrders();
    validity.checkProjection();
    if (query.hasStartAt()) {
      validity.checkCursor(query.getStartAt());
    }
    if (query.hasEndAt()) {
      validity.checkCursor(query.getEndAt());
    }
    validity.checkLimits();
    if (query.hasFindNearest()) {
      validity.checkNearest(query.getFindNearest());
    }
  }

  // Which collections

  private void checkFrom() {
    if (query.getFromCount() > 1) {
      throw invalid("StructuredQuery.from cannot have more than one collection selector.");
    }
    if (query.getFromCount() == 1 && !query.getFrom(0).getCollectionId().isEmpty()) {
      parent.collectionPath(query.getFrom(0).getCollectionId());
      return;
    }
    for (Condition condition : conditions.all()) {
      if (!condition.field().isName()) {
        throw invalid("kind is required for filter: " + condition.field());
      }
    }
    for (StructuredQuery.Order order : query.getOrderByList()) {
      if (!path(order).isName() || order.getDirection() == StructuredQuery.Direction.DESCENDING) {
        throw invalid("kind is required for all orders except __key__ ascending");
      }
    }
  }

  // Conditions, one by one

  private static void checkOperand(Condition condition) {
    if (condition.takesList()) {
      checkList(condition);
    }
    if (!condition.isUnary()) {
      requireTyped(condition.operand());
    }
    if (condition.field().isName()) {
      checkName(condition);
    }
  }

  private static void checkList(Condition condition) {
    String operator = "'" + condition.operator() + "'";
    if (!condition.operand().hasArrayValue()) {
      throw invalid(operator + " requires an ArrayValue.");
    }
    int count = condition.operand().getArrayValue().getValuesCount();
    if (count == 0) {
      throw invalid(operator + " requires an non-empty ArrayValue.");
    }
    int most = condition.is("NOT_IN") ? MAX_NOT_IN : MAX_IN;
    if (count > most) {
      throw invalid(operator + " supports up to " + most + " comparison values.");
    }
  }

  private static void requireTyped(Value value) {
    switch (value.getValueTypeCase()) {
      case VALUETYPE_NOT_SET -> throw invalid("Cannot convert firestore.v1.Value with type unset.");
      case ARRAY_VALUE ->
        value.getArrayValue().getValuesList().forEach(QueryValidity::requireTyped);
      case MAP_VALUE ->
        value.getMapValue().getFieldsMap().values().forEach(QueryValidity::requireTyped);
      default -> {}
    }
  }

  private static void checkName(Condition condition) {
    if (condition.is("ARRAY_CONTAINS") || condition.is("ARRAY_CONTAINS_ANY")) {
      throw invalid("the name __key__ is reserved");
    }
    for (Value operand : condition.operands()) {
      if (!operand.hasReferenceValue()) {
        throw invalid("__key__ filter value must be a Key");
      }
      DocumentName.parse(operand.getReferenceValue());
    }
  }

  // Conditions together

  private void checkNegations() {
    if (conditions.count(Condition::isNegation) > 1) {
      throw invalid("Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter"
          + " allowed per query.");
    }
    boolean alternatives = conditions.hasAlternatives()
        || conditions.count(part -> part.is("IN") || part.is("ARRAY_CONTAINS_ANY")) > 0;
    if (conditions.count(part -> part.is("NOT_IN")) > 0 && alternatives) {
      throw invalid("'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY'"
          + " or 'OR'.");
    }
  }

  private void checkInequalities() {
    Set<FieldPath> fields = inequalityFields();
    if (fields.size() > MAX_INEQUALITY_FIELDS) {
      throw invalid("A query has inequalities on at most " + MAX_INEQUALITY_FIELDS + " fields.");
    }
    boolean namesDocuments =
        conditions.count(part -> part.field().isName() && (part.is("EQUAL") || part.is("IN"))) > 0;
    if (namesDocuments && !fields.isEmpty() && !fields.contains(FieldPath.NAME)) {
      throw invalid("Equality on key is not allowed if there are other inequality fields and key"
          + " does not appear in inequalities.");
    }
  }

  private Set<FieldPath> inequalityFields() {
    Set<FieldPath> fields = new TreeSet<>();
    conditions.all().stream()
        .filter(Condition::isInequality)
        .forEach(part -> fields.add(part.field()));
    return fields;
  }

  private void checkDisjunctions() {
    Filter filter = FilterReader.read(query);
    long count = DisjunctiveForm.count(filter);
    if (count > DisjunctiveForm.MAX_ALTERNATIVES) {
      throw invalid("Too many disjunctions after normalization. Result had " + count
          + " disjunctions which is more than the maximum of " + DisjunctiveForm.MAX_ALTERNATIVES);
    }
    int parts = query.getOrderByCount() + (parent.isRoot() ? 0 : 1);
    for (List<FieldTest> tests : DisjunctiveForm.of(filter)) {
      parts += tests.size();
      if (tests.stream()
              .filter(test -> test.operator() == FieldTest.Operator.ARRAY_CONTAINS)
              .count()
          > 1) {
        throw failedPrecondition("Only a single array-contains clause is allowed in a query");
      }
    }
    if (parts > MAX_PARTS) {
      throw invalid("A query has at most " + MAX_PARTS
          + " filters, orders and parent documents after normalization, but this one has " + parts
          + ".");
    }
  }

  // Orders and positions

  private void checkOrders() {
    Set<FieldPath> ordered = new HashSet<>();
    for (StructuredQuery.Order order : query.getOrderByList()) {
      if (ordered.contains(FieldPath.NAME)) {
        throw moreAfterKey();
      }
      FieldPath field = path(order);
      if (!ordered.add(field)) {
        throw invalid("order by clause cannot contain duplicate fields " + field);
      }
    }
    // The fields of inequalities follow the explicit orders.
    if (ordered.contains(FieldPath.NAME) && !ordered.containsAll(inequalityFields())) {
      throw moreAfterKey();
    }
  }

  private static RuntimeException moreAfterKey() {
    return invalid("order by clause cannot contain more fields after the key");
  }

  private void checkProjection() {
    query.getSelect().getFieldsList().forEach(field -> FieldPath.parse(field.getFieldPath()));
  }

  private void checkCursor(Cursor cursor) {
    if (cursor.getValuesCount() > query.getOrderByCount()) {
      throw invalid("Cursor has too many values.");
    }
    for (int i = 0; i < cursor.getValuesCount(); i++) {
      Value value = cursor.getValues(i);
      requireTyped(value);
      if (path(query.getOrderBy(i)).isName() && !value.hasReferenceValue()) {
        throw invalid("Cursor __key__ value is not a document reference.");
      }
    }
  }

  private void checkLimits() {
    if (query.hasLimit() && query.getLimit().getValue() < 0) {
      throw invalid("limit is negative");
    }
    if (query.getOffset() < 0) {
      throw invalid("offset is negative");
    }
  }

  // Neighbours

  private void checkNearest(FindNearest nearest) {
    requireTyped(nearest.getQueryVector());
    if (!Vectors.isVector(nearest.getQueryVector())) {
      throw invalid("Query Value must be of type vector.");
    }
    int limit = nearest.getLimit().getValue();
    if (limit < 1 || limit > MAX_NEIGHBOURS) {
      throw invalid(
          "FindNearest.limit must be a positive integer of no more than " + MAX_NEIGHBOURS);
    }
    switch (nearest.getDistanceMeasure()) {
      case EUCLIDEAN, COSINE, DOT_PRODUCT -> {}
      default -> throw invalid("Unknown Distance Measure.");
    }
    FieldPath.parse(nearest.getVectorField().getFieldPath());
    List<String> companions = new ArrayList<>();
    if (query.hasLimit()) {
      companions.add("query limit");
    }
    if (query.getOffset() > 0) {
      companions.add("query offset");
    }
    if (query.hasStartAt() || query.hasEndAt()) {
      companions.add("cursor");
    }
    if (!companions.isEmpty()) {
      throw invalid("A " + companions.get(0) + " cannot be used with FindNearest");
    }
    String result = nearest.getDistanceResultField();
    if (!result.isEmpty() && FieldPath.parse(result).isReserved()) {
      throw invalid("The distanceResultField.property.name \"" + result + "\" is reserved.");
    }
  }

  private static FieldPath path(StructuredQuery.Order order) {
    return FieldPath.parse(order.getField().getFieldPath());
  }
}
