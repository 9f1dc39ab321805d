package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import com.google.protobuf.NullValue;
import dev.syncguard.firestore.server.query.FieldTest.Operator;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;

/** Reads the condition of a query whose operators and operands were found valid. */
final class FilterReader {
  private static final Value NULL =
      Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
  private static final Value NAN = Value.newBuilder().setDoubleValue(Double.NaN).build();

  private FilterReader() {}

  static Filter read(StructuredQuery query) {
    return query.hasWhere() ? read(query.getWhere()) : Filter.TRUE;
  }

  private static Filter read(StructuredQuery.Filter filter) {
    return switch (filter.getFilterTypeCase()) {
      case COMPOSITE_FILTER -> composite(filter.getCompositeFilter());
      case FIELD_FILTER -> field(filter.getFieldFilter());
      case UNARY_FILTER -> unary(filter.getUnaryFilter());
      case FILTERTYPE_NOT_SET -> Filter.TRUE;
    };
  }

  private static Filter composite(CompositeFilter filter) {
    List<Filter> parts =
        filter.getFiltersList().stream().map(FilterReader::read).toList();
    return filter.getOp() == CompositeFilter.Operator.OR
        ? new Filter.Any(parts)
        : new Filter.All(parts);
  }

  private static Filter unary(UnaryFilter filter) {
    Operator operator = Operator.valueOf(filter.getOp().name());
    boolean nan = operator == Operator.IS_NAN || operator == Operator.IS_NOT_NAN;
    return new FieldTest(path(filter.getField()), operator, nan ? NAN : NULL);
  }

  private static Filter field(FieldFilter filter) {
    return new FieldTest(
        path(filter.getField()), Operator.valueOf(filter.getOp().name()), filter.getValue());
  }

  private static FieldPath path(StructuredQuery.FieldReference field) {
    return FieldPath.parse(field.getFieldPath());
  }
}
