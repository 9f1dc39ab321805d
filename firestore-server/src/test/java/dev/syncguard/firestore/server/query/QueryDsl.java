package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.FieldReference;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.FindNearest;
import com.google.firestore.v1.StructuredQuery.Order;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.value.Values;
import java.util.List;

/** Queries as short as they are spoken. */
public final class QueryDsl {
  public static final String ROOT = "projects/demo/databases/(default)/documents";

  private QueryDsl() {}

  public static StructuredQuery.Builder collection(String id) {
    return StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId(id));
  }

  public static StructuredQuery.Builder group(String id) {
    return StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId(id).setAllDescendants(true));
  }

  /** Returns a query over collection c. */
  public static StructuredQuery.Builder where(Filter filter) {
    return collection("c").setWhere(filter);
  }

  public static Filter and(Filter... parts) {
    return composite(CompositeFilter.Operator.AND, parts);
  }

  public static Filter or(Filter... parts) {
    return composite(CompositeFilter.Operator.OR, parts);
  }

  public static Filter composite(CompositeFilter.Operator operator, Filter... parts) {
    return Filter.newBuilder()
        .setCompositeFilter(
            CompositeFilter.newBuilder().setOp(operator).addAllFilters(List.of(parts)))
        .build();
  }

  /** Returns a filter in one of the notations {@code ==, !=, <, <=, >, >=, in, not-in, contains, any}. */
  public static Filter test(String field, String operator, Object operand) {
    return test(
        field,
        switch (operator) {
          case "==" -> FieldFilter.Operator.EQUAL;
          case "!=" -> FieldFilter.Operator.NOT_EQUAL;
          case "<" -> FieldFilter.Operator.LESS_THAN;
          case "<=" -> FieldFilter.Operator.LESS_THAN_OR_EQUAL;
          case ">" -> FieldFilter.Operator.GREATER_THAN;
          case ">=" -> FieldFilter.Operator.GREATER_THAN_OR_EQUAL;
          case "in" -> FieldFilter.Operator.IN;
          case "not-in" -> FieldFilter.Operator.NOT_IN;
          case "contains" -> FieldFilter.Operator.ARRAY_CONTAINS;
          case "any" -> FieldFilter.Operator.ARRAY_CONTAINS_ANY;
          default -> throw new IllegalArgumentException(operator);
        },
        operand);
  }

  public static Filter test(String field, FieldFilter.Operator operator, Object operand) {
    return Filter.newBuilder()
        .setFieldFilter(FieldFilter.newBuilder()
            .setField(field(field))
            .setOp(operator)
            .setValue(value(operand)))
        .build();
  }

  public static Filter is(String field, UnaryFilter.Operator operator) {
    return Filter.newBuilder()
        .setUnaryFilter(UnaryFilter.newBuilder().setField(field(field)).setOp(operator))
        .build();
  }

  public static Order asc(String field) {
    return Order.newBuilder()
        .setField(field(field))
        .setDirection(Direction.ASCENDING)
        .build();
  }

  public static Order desc(String field) {
    return Order.newBuilder()
        .setField(field(field))
        .setDirection(Direction.DESCENDING)
        .build();
  }

  public static Cursor at(Object... values) {
    Cursor.Builder cursor = Cursor.newBuilder().setBefore(true);
    for (Object value : values) {
      cursor.addValues(value(value));
    }
    return cursor.build();
  }

  public static FindNearest.Builder nearest(String field, Object vector, int limit) {
    return FindNearest.newBuilder()
        .setVectorField(field(field))
        .setQueryVector(value(vector))
        .setLimit(Int32Value.of(limit))
        .setDistanceMeasure(FindNearest.DistanceMeasure.EUCLIDEAN);
  }

  public static FieldReference field(String path) {
    return FieldReference.newBuilder().setFieldPath(path).build();
  }

  public static Value reference(String path) {
    return Value.newBuilder().setReferenceValue(ROOT + "/" + path).build();
  }

  /** Returns what stands for it on the wire: numbers, text, lists of such, and values as they are. */
  public static Value value(Object value) {
    if (value instanceof Value already) {
      return already;
    }
    if (value instanceof Integer number) {
      return Values.of(number.longValue());
    }
    if (value instanceof Double number) {
      return Values.of(number);
    }
    if (value instanceof String text) {
      return Values.of(text);
    }
    if (value instanceof List<?> list) {
      return Values.array(list.stream().map(QueryDsl::value).toArray(Value[]::new));
    }
    throw new IllegalArgumentException("Nothing on the wire stands for " + value);
  }
}
