package dev.syncguard.firestore.server.auth;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.rules.RulesValues;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.value.RulesValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Tells rules about queries that were found valid. */
final class RulesQueries {
  private RulesQueries() {}

  static RulesQuery of(ParentName parent, StructuredQuery query) {
    // A query without a collection is about all of them.
    CollectionSelector from =
        query.getFromCount() == 0 ? CollectionSelector.getDefaultInstance() : query.getFrom(0);
    return new RulesQuery(
        parent.isRoot() ? List.of() : List.of(parent.path().split("/", -1)),
        from.getCollectionId().isEmpty() ? Optional.empty() : Optional.of(from.getCollectionId()),
        from.getAllDescendants() || from.getCollectionId().isEmpty(),
        query.hasWhere() ? filter(query.getWhere()) : new QueryFilter.All(List.of()),
        query.getOrderByList().stream()
            .map(order -> new RulesQuery.Order(
                path(order.getField()), order.getDirection() == Direction.DESCENDING))
            .toList(),
        query.hasLimit() ? OptionalLong.of(query.getLimit().getValue()) : OptionalLong.empty(),
        query.getOffset());
  }

  private static QueryFilter filter(Filter filter) {
    return switch (filter.getFilterTypeCase()) {
      case COMPOSITE_FILTER -> composite(filter.getCompositeFilter());
      case FIELD_FILTER -> field(filter.getFieldFilter());
      case UNARY_FILTER -> unary(filter.getUnaryFilter());
      case FILTERTYPE_NOT_SET -> new QueryFilter.All(List.of());
    };
  }

  private static QueryFilter composite(CompositeFilter filter) {
    List<QueryFilter> parts =
        filter.getFiltersList().stream().map(RulesQueries::filter).toList();
    return filter.getOp() == CompositeFilter.Operator.OR
        ? new QueryFilter.Any(parts)
        : new QueryFilter.All(parts);
  }

  private static QueryFilter unary(UnaryFilter filter) {
    boolean nan = filter.getOp() == UnaryFilter.Operator.IS_NAN
        || filter.getOp() == UnaryFilter.Operator.IS_NOT_NAN;
    boolean equal = filter.getOp() == UnaryFilter.Operator.IS_NAN
        || filter.getOp() == UnaryFilter.Operator.IS_NULL;
    return new QueryFilter.Field(
        path(filter.getField()),
        equal ? Operator.EQUAL : Operator.NOT_EQUAL,
        nan ? RulesValue.of(Double.NaN) : RulesValue.NULL);
  }

  private static QueryFilter field(FieldFilter filter) {
    Operator operator = switch (filter.getOp()) {
      case LESS_THAN -> Operator.LESS;
      case LESS_THAN_OR_EQUAL -> Operator.LESS_OR_EQUAL;
      case GREATER_THAN -> Operator.GREATER;
      case GREATER_THAN_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
      case EQUAL -> Operator.EQUAL;
      case NOT_EQUAL -> Operator.NOT_EQUAL;
      case ARRAY_CONTAINS -> Operator.ARRAY_CONTAINS;
      case IN -> Operator.IN;
      case ARRAY_CONTAINS_ANY -> Operator.ARRAY_CONTAINS_ANY;
      case NOT_IN -> Operator.NOT_IN;
      default -> throw new IllegalArgumentException("No valid query has " + filter.getOp());
    };
    return new QueryFilter.Field(
        path(filter.getField()), operator, RulesValues.of(filter.getValue()));
  }

  private static List<String> path(FieldReference field) {
    return FieldPath.parse(field.getFieldPath()).segments();
  }
}
