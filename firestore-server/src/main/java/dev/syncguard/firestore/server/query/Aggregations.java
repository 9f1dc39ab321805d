package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.AggregationResult;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.Numbers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts, sums and averages over the results of a query. */
public final class Aggregations {
  private static final int MAX_AGGREGATIONS = 5;

  private final Query filtered;
  private final Query query;
  private final List<FieldPath> fields;
  private final List<Aggregation> aggregations;

  private Aggregations(Query filtered, List<FieldPath> fields, List<Aggregation> aggregations) {
    this.filtered = filtered;
    this.query = filtered.requiring(fields);
    this.fields = fields;
    this.aggregations = aggregations;
  }

  /** Returns the valid form of an aggregation as it was sent. */
  public static Aggregations of(ParentName parent, StructuredAggregationQuery request) {
    if (request.getAggregationsCount() == 0) {
      throw FirestoreServerException.invalid("Aggregations can not be empty.");
    }
    if (request.getAggregationsCount() > MAX_AGGREGATIONS) {
      throw FirestoreServerException.invalid(
          "The maximum number of aggregations allowed in an aggregation query is "
              + MAX_AGGREGATIONS + ". Received: " + request.getAggregationsCount());
    }
    List<Aggregation> aggregations = new ArrayList<>();
    Set<String> aliases = new HashSet<>();
    for (Aggregation aggregation : request.getAggregationsList()) {
      check(aggregation);
      String alias = aggregation.getAlias().isEmpty()
          ? "field_" + (aggregations.size() + 1)
          : aggregation.getAlias();
      if (!aliases.add(alias)) {
        throw FirestoreServerException.invalid(
            "Aggregation aliases contain duplicate alias: " + alias + ".");
      }
      aggregations.add(aggregation.toBuilder().setAlias(alias).build());
    }
    List<FieldPath> fields = aggregations.stream()
        .filter(aggregation -> !aggregation.hasCount())
        .map(Aggregations::field)
        .toList();
    return new Aggregations(Query.of(parent, request.getStructuredQuery()), fields, aggregations);
  }

  /** Returns the query as it was sent. */
  public Query filtered() {
    return filtered;
  }

  /** Returns the fields that are summed or averaged. */
  public List<FieldPath> fields() {
    return fields;
  }

  /** Returns the query whose results are aggregated: a document without one of the fields is not. */
  public Query query() {
    return query;
  }

  /** Returns the aggregates by alias. */
  public AggregationResult run(Snapshot snapshot) {
    List<Aggregate> aggregates = aggregations.stream().map(Aggregate::new).toList();
    new QueryRun(query, snapshot)
        .forEachRemaining(document -> aggregates.forEach(aggregate -> aggregate.add(document)));
    AggregationResult.Builder result = AggregationResult.newBuilder();
    for (Aggregate aggregate : aggregates) {
      result.putAggregateFields(aggregate.aggregation.getAlias(), aggregate.value());
    }
    return result.build();
  }

  /** One aggregation over the documents so far. */
  private static final class Aggregate {
    private final Aggregation aggregation;
    private final NumberSum sum = new NumberSum();
    private long count;

    Aggregate(Aggregation aggregation) {
      this.aggregation = aggregation;
    }

    void add(Document document) {
      count++;
      if (!aggregation.hasCount()) {
        Value value = Fields.get(document.getFieldsMap(), field(aggregation));
        if (value != null && Numbers.isNumber(value)) {
          sum.add(value);
        }
      }
    }

    Value value() {
      if (aggregation.hasCount()) {
        boolean bounded = aggregation.getCount().hasUpTo();
        long most = bounded ? aggregation.getCount().getUpTo().getValue() : count;
        return Value.newBuilder().setIntegerValue(Math.min(count, most)).build();
      }
      return aggregation.hasSum() ? sum.total() : sum.average();
    }
  }

  private static void check(Aggregation aggregation) {
    switch (aggregation.getOperatorCase()) {
      case COUNT -> {
        if (aggregation.getCount().hasUpTo() && aggregation.getCount().getUpTo().getValue() <= 0) {
          throw FirestoreServerException.invalid(
              "The `up_to` value in a COUNT aggregation must be greater than zero.");
        }
      }
      case SUM, AVG -> {
        if (field(aggregation).isName()) {
          throw FirestoreServerException.invalid(
              "Aggregations are not supported for the property: __key__");
        }
      }
      case OPERATOR_NOT_SET ->
        throw FirestoreServerException.invalid("Operator field in Aggregation is not set.");
    }
    String alias = aggregation.getAlias();
    if (!alias.isEmpty() && FieldPath.parse(alias).isReserved()) {
      throw FirestoreServerException.invalid("The property.name \"" + alias + "\" is reserved.");
    }
  }

  private static FieldPath field(Aggregation aggregation) {
    return FieldPath.parse(
        aggregation.hasSum()
            ? aggregation.getSum().getField().getFieldPath()
            : aggregation.getAvg().getField().getFieldPath());
  }
}
