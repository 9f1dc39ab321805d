package dev.syncguard.firestore.server.validity;

import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NAN;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NOT_NULL;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NULL;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.field;
import static dev.syncguard.firestore.server.query.QueryDsl.is;
import static dev.syncguard.firestore.server.query.QueryDsl.or;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.validity.ValidityRow.aggregation;
import static dev.syncguard.firestore.server.validity.ValidityRow.finds;

import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.value.Values;
import java.util.List;

/** What queries find where that is easily mistaken: null, NaN, numbers of two types, lists, missing fields. */
final class ResultRows {
  private static final Value NULL = Values.nothing();
  private static final String EVERY_VALUE =
      "nan, zero, one, one-double, two, text, list-null, list";

  private ResultRows() {}

  static List<ValidityRow> queries() {
    return List.of(
        finds("== null, not as a unary filter", where("==", NULL), "nothing"),
        finds("== NaN, not as a unary filter", where("==", Double.NaN), "nothing"),
        finds("is null", values(is("a", IS_NULL)), "null"),
        finds("is NaN", values(is("a", IS_NAN)), "nan"),
        finds("is not null", values(is("a", IS_NOT_NULL)), EVERY_VALUE),
        finds("!= null, not as a unary filter", where("!=", NULL), "nothing"),
        finds("!= NaN, not as a unary filter", where("!=", Double.NaN), EVERY_VALUE),
        finds("!= 1", where("!=", 1), "nan, zero, two, text, list-null, list"),
        finds("< null", where("<", NULL), "nothing"),
        finds("> NaN", where(">", Double.NaN), "nothing"),
        finds("< 2", where("<", 2), "zero, one, one-double"),
        finds(">= 'a': only texts", where(">=", "a"), "text"),
        finds("== 1: integers and doubles", where("==", 1), "one, one-double"),
        finds("== 0: also -0.0", where("==", 0), "zero"),
        finds("in [null]", where("in", List.of(NULL)), "nothing"),
        finds("in [NaN]", where("in", List.of(Double.NaN)), "nothing"),
        finds("in [1, null]", where("in", List.of(1, NULL)), "one, one-double"),
        finds("in [1, 1]: each once", where("in", List.of(1, 1)), "one, one-double"),
        finds("not-in [null]", where("not-in", List.of(NULL)), "nothing"),
        finds("not-in [1, null]", where("not-in", List.of(1, NULL)), "nothing"),
        finds("not-in [NaN]", where("not-in", List.of(Double.NaN)), EVERY_VALUE),
        finds("array-contains null", where("contains", NULL), "nothing"),
        finds("array-contains 1", where("contains", 1), "list, list-null"),
        finds("array-contains-any [null]", where("any", List.of(NULL)), "nothing"),
        finds("array-contains-any [1, null]", where("any", List.of(1, NULL)), "list, list-null"),
        finds(
            "a < 2 OR b == 'z': who has no a is left out",
            values(or(test("a", "<", 2), test("b", "==", "z"))),
            "zero, one, one-double"),
        finds("ordered by a", values().addOrderBy(asc("a")), "null, " + EVERY_VALUE),
        finds(
            "ordered backwards: names, too",
            values().addOrderBy(desc("a")).setLimit(Int32Value.of(5)),
            "list, list-null, text, two, one-double"),
        finds("limit 0", values().setLimit(Int32Value.of(0)), "nothing"),
        finds("an offset past the end", values().setOffset(99), "nothing"));
  }

  static List<ValidityRow> aggregations() {
    Aggregation count = Aggregation.newBuilder()
        .setCount(Aggregation.Count.getDefaultInstance())
        .build();
    Aggregation sum = Aggregation.newBuilder()
        .setSum(Aggregation.Sum.newBuilder().setField(field("n")))
        .build();
    Aggregation average = Aggregation.newBuilder()
        .setAvg(Aggregation.Avg.newBuilder().setField(field("n")))
        .build();
    return List.of(
        found("sum of nothing", collection("none"), List.of(sum), "field_1 = 0"),
        found("average of nothing", collection("none"), List.of(average), "field_1 = null"),
        found(
            "a sum with NaN in it",
            values(),
            List.of(Aggregation.newBuilder()
                .setSum(Aggregation.Sum.newBuilder().setField(field("a")))
                .build()),
            "field_1 = NaN"),
        found("count", values(), List.of(count), "field_1 = 10"),
        found(
            "count beside a sum: only who has the field",
            values(),
            List.of(
                count,
                Aggregation.newBuilder()
                    .setSum(Aggregation.Sum.newBuilder().setField(field("b")))
                    .build()),
            "field_1 = 1, field_2 = 0"));
  }

  private static ValidityRow found(
      String name, StructuredQuery.Builder query, List<Aggregation> aggregations, String result) {
    return aggregation(name, query, aggregations, Code.OK, "finds " + result);
  }

  private static StructuredQuery.Builder where(String operator, Object operand) {
    return values(test("a", operator, operand));
  }

  private static StructuredQuery.Builder values(Filter filter) {
    return values().setWhere(filter);
  }

  private static StructuredQuery.Builder values() {
    return collection("values");
  }
}
