package dev.syncguard.firestore.server.query;

import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NAN;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NOT_NAN;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NOT_NULL;
import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NULL;
import static com.google.rpc.Code.FAILED_PRECONDITION;
import static com.google.rpc.Code.INVALID_ARGUMENT;
import static dev.syncguard.firestore.server.query.QueryDsl.ROOT;
import static dev.syncguard.firestore.server.query.QueryDsl.and;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.at;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.composite;
import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.field;
import static dev.syncguard.firestore.server.query.QueryDsl.group;
import static dev.syncguard.firestore.server.query.QueryDsl.is;
import static dev.syncguard.firestore.server.query.QueryDsl.nearest;
import static dev.syncguard.firestore.server.query.QueryDsl.or;
import static dev.syncguard.firestore.server.query.QueryDsl.reference;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.query.QueryDsl.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.FindNearest;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.value.Values;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of what Firestore accepts and refuses: recorded from the official emulator or documented for production, which
 * wins where they differ. Each row is sent to a server.
 */
class QueryValidityTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SINGLE_CONTAINS =
      "Only a single array-contains clause is allowed in a query";
  private static final String SINGLE_NEGATION =
      "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.";
  private static final String NOT_IN_ALONE =
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.";
  private static final String MORE_AFTER_KEY =
      "order by clause cannot contain more fields after the key";
  private static final String UNSET = "Cannot convert firestore.v1.Value with type unset.";
  private static final String KEY = "__key__ filter value must be a Key";
  private static final String NEIGHBOURS =
      "FindNearest.limit must be a positive integer of no more than 1000";

  private static FirestoreServer server;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A request, and with which status and words it is refused, or that it is not. */
  private record Row(String name, Message request, Code status, String words) {}

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> theTable() {
    return Stream.of(
            conditions(), names(), sources(), orders(), cursors(), neighbours(), aggregations())
        .flatMap(List::stream)
        .map(row -> dynamicTest(row.name(), () -> check(row)));
  }

  private static void check(Row row) throws Exception {
    boolean query = row.request() instanceof RunQueryRequest;
    String parent = query
        ? ((RunQueryRequest) row.request()).getParent()
        : ((RunAggregationQueryRequest) row.request()).getParent();
    HttpResponse<String> answer = HTTP.send(
        HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + "/v1/" + parent
                + (query ? ":runQuery" : ":runAggregationQuery")))
            .header("Authorization", "Bearer owner")
            .POST(BodyPublishers.ofString(JsonFormat.printer().print(row.request())))
            .build(),
        BodyHandlers.ofString());
    JsonNode error = JSON.readTree(answer.body()).path("error");
    if (row.status() == Code.OK) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    } else {
      assertThat(error.path("status").asText())
          .as(answer.body())
          .isEqualTo(row.status().name());
      assertThat(error.path("message").asText()).startsWith(row.words());
      assertThat(answer.statusCode()).isEqualTo(400);
    }
  }

  private static List<Row> conditions() {
    Filter a1 = test("a", "==", 1);
    return List.of(
        refused(
            "two array-contains",
            where(and(test("a", "contains", 1), test("b", "contains", 1))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        refused(
            "array-contains with array-contains-any",
            where(and(test("a", "contains", 1), test("b", "any", List.of(1, 2)))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        refused(
            "two array-contains-any",
            where(and(test("a", "any", List.of(1)), test("b", "any", List.of(1)))),
            FAILED_PRECONDITION,
            SINGLE_CONTAINS),
        accepted(
            "array-contains in two branches of an OR",
            where(or(test("a", "contains", 1), test("b", "contains", 1)))),
        accepted(
            "in with array-contains",
            where(and(test("a", "in", List.of(1, 2)), test("b", "contains", 1)))),
        accepted(
            "in with array-contains-any",
            where(and(test("a", "in", List.of(1, 2)), test("b", "any", List.of(1, 2))))),
        accepted("array-contains-any inside OR", where(or(test("a", "any", List.of(1, 2)), a1))),
        refused(
            "not-in with in",
            where(and(test("a", "not-in", List.of(1)), test("b", "in", List.of(1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in with array-contains-any",
            where(and(test("a", "not-in", List.of(1)), test("b", "any", List.of(1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in with an OR",
            where(and(test("a", "not-in", List.of(1)), or(a1, test("b", "==", 1)))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        refused(
            "not-in inside an OR",
            where(or(test("a", "not-in", List.of(1)), test("b", "==", 1))),
            INVALID_ARGUMENT,
            NOT_IN_ALONE),
        accepted("not-in with an OR of one", where(or(test("a", "not-in", List.of(1))))),
        refused(
            "two !=",
            where(and(test("a", "!=", 1), test("a", "!=", 2))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "two != on different fields",
            where(and(test("a", "!=", 1), test("b", "!=", 2))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "two not-in",
            where(and(test("a", "not-in", List.of(1)), test("b", "not-in", List.of(1)))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "not-in with !=",
            where(and(test("a", "not-in", List.of(1)), test("b", "!=", 1))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        refused(
            "is-not-null with is-not-nan",
            where(and(is("a", IS_NOT_NULL), is("b", IS_NOT_NAN))),
            INVALID_ARGUMENT,
            SINGLE_NEGATION),
        accepted("== null", where(test("a", "==", Values.nothing()))),
        accepted("!= NaN", where(test("a", "!=", Double.NaN))),
        accepted("< null", where(test("a", "<", Values.nothing()))),
        accepted("in [null]", where(test("a", "in", List.of(Values.nothing())))),
        accepted("is null and is NaN", where(and(is("a", IS_NULL), is("b", IS_NAN)))),
        refused(
            "in []",
            where(test("a", "in", List.of())),
            INVALID_ARGUMENT,
            "'IN' requires an non-empty ArrayValue."),
        refused(
            "not-in []",
            where(test("a", "not-in", List.of())),
            INVALID_ARGUMENT,
            "'NOT_IN' requires an non-empty ArrayValue."),
        refused(
            "array-contains-any []",
            where(test("a", "any", List.of())),
            INVALID_ARGUMENT,
            "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue."),
        refused(
            "in without a list",
            where(test("a", "in", 1)),
            INVALID_ARGUMENT,
            "'IN' requires an ArrayValue."),
        accepted("in of 30", where(test("a", "in", numbers(30)))),
        refused(
            "in of 31",
            where(test("a", "in", numbers(31))),
            INVALID_ARGUMENT,
            "'IN' supports up to 30 comparison values."),
        refused(
            "array-contains-any of 31",
            where(test("a", "any", numbers(31))),
            INVALID_ARGUMENT,
            "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."),
        accepted("not-in of 10", where(test("a", "not-in", numbers(10)))),
        refused(
            "not-in of 11",
            where(test("a", "not-in", numbers(11))),
            INVALID_ARGUMENT,
            "'NOT_IN' supports up to 10 comparison values."),
        accepted(
            "15 times 2 disjunctions",
            where(and(test("a", "in", numbers(15)), test("b", "in", numbers(2))))),
        refused(
            "16 times 2 disjunctions",
            where(and(test("a", "in", numbers(16)), test("b", "in", numbers(2)))),
            INVALID_ARGUMENT,
            "Too many disjunctions after normalization. Result had 32 disjunctions which is more"
                + " than the maximum of 30"),
        refused(
            "an OR of 31",
            where(or(Collections.nCopies(31, a1).toArray(Filter[]::new))),
            INVALID_ARGUMENT,
            "Too many disjunctions after normalization. Result had 31 disjunctions"),
        refused("an empty composite filter", where(and()), INVALID_ARGUMENT, "A composite filter"),
        accepted("composite filters of one", where(and(or(and(a1))))),
        refused(
            "a composite filter without operator",
            where(composite(CompositeFilter.Operator.OPERATOR_UNSPECIFIED, a1)),
            INVALID_ARGUMENT,
            "Unsupported CompositeFilter operator."),
        refused(
            "a field filter without operator",
            where(test("a", FieldFilter.Operator.OPERATOR_UNSPECIFIED, 1)),
            INVALID_ARGUMENT,
            "Unknown FieldFilter operator."),
        refused(
            "a unary filter without operator",
            where(is("a", UnaryFilter.Operator.OPERATOR_UNSPECIFIED)),
            INVALID_ARGUMENT,
            "Unknown UnaryFilter operator."),
        refused(
            "a path with an empty part",
            where(test("a..b", "==", 1)),
            INVALID_ARGUMENT,
            "Invalid property path \"a..b\"."),
        refused(
            "an empty path",
            where(test("", "==", 1)),
            INVALID_ARGUMENT,
            "Invalid empty property path string."),
        refused(
            "a value without type",
            where(test("a", "==", Value.getDefaultInstance())),
            INVALID_ARGUMENT,
            UNSET),
        refused(
            "a value without type in a list",
            where(test("a", "in", List.of(1, Value.getDefaultInstance()))),
            INVALID_ARGUMENT,
            UNSET),
        accepted("inequalities on 10 fields", where(and(inequalities(10)))),
        refused("inequalities on 11 fields", where(and(inequalities(11))), INVALID_ARGUMENT, ""),
        accepted("100 filters", where(and(Collections.nCopies(100, a1).toArray(Filter[]::new)))),
        refused(
            "101 filters",
            where(and(Collections.nCopies(101, a1).toArray(Filter[]::new))),
            INVALID_ARGUMENT,
            "A query has at most 100 filters, orders and parent documents"),
        refusedBelow(
            "100 filters below a document",
            ROOT + "/p/d",
            where(and(Collections.nCopies(100, a1).toArray(Filter[]::new))),
            "A query has at most 100 filters, orders and parent documents"),
        refused(
            "an inequality with equality on the key alone",
            where(and(test("a", ">", 1), test("__name__", "==", reference("c/d")))),
            INVALID_ARGUMENT,
            "Equality on key is not allowed"),
        accepted(
            "an inequality with equality and inequality on the key",
            where(and(
                test("a", ">", 1),
                test("__name__", "==", reference("c/d")),
                test("__name__", ">", reference("c/a"))))));
  }

  private static List<Row> names() {
    return List.of(
        refused("__name__ == text", where(test("__name__", "==", "d")), INVALID_ARGUMENT, KEY),
        refused("__name__ is NaN", where(is("__name__", IS_NAN)), INVALID_ARGUMENT, KEY),
        refused(
            "__name__ not-in [text]",
            where(test("__name__", "not-in", List.of("d"))),
            INVALID_ARGUMENT,
            KEY),
        refused(
            "__name__ array-contains",
            where(test("__name__", "contains", reference("c/d"))),
            INVALID_ARGUMENT,
            "the name __key__ is reserved"),
        accepted(
            "__name__ of another collection", where(test("__name__", "==", reference("other/d")))),
        accepted(
            "__name__ in references", where(test("__name__", "in", List.of(reference("c/d"))))),
        accepted("__name__ != a reference", where(test("__name__", "!=", reference("c/d")))),
        accepted(
            "the range of recursiveDelete",
            where(and(
                test("__name__", ">=", reference("c/__id-9223372036854775808__")),
                test("__name__", "<", reference("c\0/__id-9223372036854775808__"))))),
        refused(
            "__name__ compared with a collection",
            where(test("__name__", "==", reference("c"))),
            INVALID_ARGUMENT,
            "Document parent name \"" + ROOT + "/c\" lacks \"/\" at index " + (ROOT + "/c").length()
                + "."));
  }

  private static List<Row> sources() {
    return List.of(
        refused(
            "two collections",
            collection("c").addFrom(collection("d").getFrom(0)),
            INVALID_ARGUMENT,
            "StructuredQuery.from cannot have more than one collection selector."),
        refused(
            "a reserved collection id",
            collection("__x__"),
            INVALID_ARGUMENT,
            "Collection id \"__x__\" is invalid because it is reserved."),
        refused(
            "a collection id with a slash",
            collection("a/b"),
            INVALID_ARGUMENT,
            "Collection id \"a/b\" is invalid because it contains \"/\"."),
        refusedBelow(
            "a collection as parent",
            ROOT + "/c",
            collection("c"),
            "Document parent name \"" + ROOT + "/c\" lacks \"/\" at index"),
        accepted("no collection", StructuredQuery.newBuilder()),
        accepted("all collections", group("")),
        accepted(
            "no collection, in order", StructuredQuery.newBuilder().addOrderBy(asc("__name__"))),
        refused(
            "no collection with a filter",
            StructuredQuery.newBuilder().setWhere(test("a", "==", 1)),
            INVALID_ARGUMENT,
            "kind is required for filter: a"),
        refused(
            "no collection with an order",
            StructuredQuery.newBuilder().addOrderBy(asc("a")),
            INVALID_ARGUMENT,
            "kind is required for all orders except __key__ ascending"),
        refused(
            "no collection backwards",
            StructuredQuery.newBuilder().addOrderBy(desc("__name__")),
            INVALID_ARGUMENT,
            "kind is required for all orders except __key__ ascending"));
  }

  private static List<Row> orders() {
    return List.of(
        accepted(
            "no direction",
            collection("c").addOrderBy(StructuredQuery.Order.newBuilder().setField(field("a")))),
        refused(
            "the same field twice",
            collection("c").addOrderBy(asc("a")).addOrderBy(desc("a")),
            INVALID_ARGUMENT,
            "order by clause cannot contain duplicate fields a"),
        refused(
            "an order after the key",
            collection("c").addOrderBy(asc("__name__")).addOrderBy(asc("a")),
            INVALID_ARGUMENT,
            MORE_AFTER_KEY),
        refused(
            "an implied order after the key",
            where(test("a", ">", 1)).addOrderBy(asc("__name__")),
            INVALID_ARGUMENT,
            MORE_AFTER_KEY),
        accepted("an inequality and another order", where(test("a", ">", 1)).addOrderBy(asc("b"))),
        accepted("the key backwards", collection("c").addOrderBy(desc("__name__"))),
        accepted("the key backwards in a group", group("c").addOrderBy(desc("__name__"))),
        refused(
            "a negative limit",
            collection("c").setLimit(Int32Value.of(-1)),
            INVALID_ARGUMENT,
            "limit is negative"),
        refused(
            "a negative offset",
            collection("c").setOffset(-1),
            INVALID_ARGUMENT,
            "offset is negative"),
        accepted("limit 0", collection("c").setLimit(Int32Value.of(0))));
  }

  private static List<Row> cursors() {
    return List.of(
        refused(
            "a cursor without order",
            collection("c").setStartAt(at(reference("c/d"))),
            INVALID_ARGUMENT,
            "Cursor has too many values."),
        refused(
            "a value for an implied order",
            collection("c").addOrderBy(asc("a")).setEndAt(at(1, reference("c/d"))),
            INVALID_ARGUMENT,
            "Cursor has too many values."),
        refused(
            "text where the key stands",
            collection("c").addOrderBy(asc("a")).addOrderBy(asc("__name__")).setStartAt(at(1, "d")),
            INVALID_ARGUMENT,
            "Cursor __key__ value is not a document reference."),
        refused(
            "a cursor value without type",
            collection("c").addOrderBy(asc("a")).setStartAt(at(Value.getDefaultInstance())),
            INVALID_ARGUMENT,
            UNSET),
        accepted(
            "fewer values than orders",
            collection("c").addOrderBy(asc("a")).addOrderBy(asc("b")).setStartAt(at(1))),
        accepted(
            "a reference into another collection",
            collection("c").addOrderBy(asc("__name__")).setStartAt(at(reference("other/d")))),
        accepted(
            "a value of another type",
            collection("c").addOrderBy(asc("a")).setStartAt(at("text"))));
  }

  private static List<Row> neighbours() {
    Value vector = Values.vector(1, 2);
    return List.of(
        accepted("neighbours", collection("c").setFindNearest(nearest("v", vector, 1000))),
        refused(
            "0 neighbours",
            collection("c").setFindNearest(nearest("v", vector, 0)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "-1 neighbours",
            collection("c").setFindNearest(nearest("v", vector, -1)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "1001 neighbours",
            collection("c").setFindNearest(nearest("v", vector, 1001)),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "no number of neighbours",
            collection("c").setFindNearest(nearest("v", vector, 1).clearLimit()),
            INVALID_ARGUMENT,
            NEIGHBOURS),
        refused(
            "neighbours of a list",
            collection("c").setFindNearest(nearest("v", List.of(1.0), 1)),
            INVALID_ARGUMENT,
            "Query Value must be of type vector."),
        refused(
            "neighbours of nothing",
            collection("c").setFindNearest(nearest("v", Value.getDefaultInstance(), 1)),
            INVALID_ARGUMENT,
            UNSET),
        refused(
            "no measure",
            collection("c")
                .setFindNearest(nearest("v", vector, 1)
                    .setDistanceMeasure(FindNearest.DistanceMeasure.DISTANCE_MEASURE_UNSPECIFIED)),
            INVALID_ARGUMENT,
            "Unknown Distance Measure."),
        refused(
            "neighbours with a limit",
            collection("c").setLimit(Int32Value.of(1)).setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A query limit cannot be used with FindNearest"),
        refused(
            "neighbours with an offset",
            collection("c").setOffset(1).setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A query offset cannot be used with FindNearest"),
        refused(
            "neighbours with a cursor",
            collection("c")
                .addOrderBy(asc("a"))
                .setStartAt(at(1))
                .setFindNearest(nearest("v", vector, 1)),
            INVALID_ARGUMENT,
            "A cursor cannot be used with FindNearest"),
        refused(
            "a reserved field for the distance",
            collection("c").setFindNearest(nearest("v", vector, 1).setDistanceResultField("__x__")),
            INVALID_ARGUMENT,
            "The distanceResultField.property.name \"__x__\" is reserved."),
        refused(
            "a bad vector and a bad limit: the vector is looked at first",
            collection("c").setFindNearest(nearest("v", 1, 0)),
            INVALID_ARGUMENT,
            "Query Value must be of type vector."));
  }

  private static List<Row> aggregations() {
    Aggregation count = Aggregation.newBuilder()
        .setCount(Aggregation.Count.getDefaultInstance())
        .build();
    return List.of(
        aggregation(
            "no aggregation", List.of(), INVALID_ARGUMENT, "Aggregations can not be empty."),
        aggregation("5 aggregations", Collections.nCopies(5, count), Code.OK, ""),
        aggregation(
            "6 aggregations",
            Collections.nCopies(6, count),
            INVALID_ARGUMENT,
            "The maximum number of aggregations allowed in an aggregation query is 5. Received: 6"),
        aggregation(
            "an alias twice",
            Collections.nCopies(2, count.toBuilder().setAlias("x").build()),
            INVALID_ARGUMENT,
            "Aggregation aliases contain duplicate alias: x."),
        aggregation(
            "a reserved alias",
            List.of(count.toBuilder().setAlias("__x__").build()),
            INVALID_ARGUMENT,
            "The property.name \"__x__\" is reserved."),
        aggregation(
            "the sum of the key",
            List.of(Aggregation.newBuilder()
                .setSum(Aggregation.Sum.newBuilder().setField(field("__name__")))
                .build()),
            INVALID_ARGUMENT,
            "Aggregations are not supported for the property: __key__"),
        aggregation(
            "no operator",
            List.of(Aggregation.getDefaultInstance()),
            INVALID_ARGUMENT,
            "Operator field in Aggregation is not set."),
        aggregation(
            "a count up to -1",
            List.of(countUpTo(-1)),
            INVALID_ARGUMENT,
            "The `up_to` value in a COUNT aggregation must be greater than"),
        aggregation(
            "a count up to 0",
            List.of(countUpTo(0)),
            INVALID_ARGUMENT,
            "The `up_to` value in a COUNT aggregation must be greater than"),
        aggregation("a count up to 1", List.of(countUpTo(1)), Code.OK, ""));
  }

  private static Aggregation countUpTo(long most) {
    return Aggregation.newBuilder()
        .setCount(Aggregation.Count.newBuilder().setUpTo(Int64Value.of(most)))
        .build();
  }

  private static Row aggregation(
      String name, List<Aggregation> aggregations, Code status, String words) {
    return new Row(
        name,
        RunAggregationQueryRequest.newBuilder()
            .setParent(ROOT)
            .setStructuredAggregationQuery(StructuredAggregationQuery.newBuilder()
                .setStructuredQuery(collection("c"))
                .addAllAggregations(aggregations))
            .build(),
        status,
        words);
  }

  private static Row accepted(String name, StructuredQuery.Builder query) {
    return new Row(name, request(ROOT, query), Code.OK, "");
  }

  private static Row refused(
      String name, StructuredQuery.Builder query, Code status, String words) {
    return new Row(name, request(ROOT, query), status, words);
  }

  private static Row refusedBelow(
      String name, String parent, StructuredQuery.Builder query, String words) {
    return new Row(name, request(parent, query), INVALID_ARGUMENT, words);
  }

  private static Message request(String parent, StructuredQuery.Builder query) {
    return RunQueryRequest.newBuilder()
        .setParent(parent)
        .setStructuredQuery(query)
        .build();
  }

  private static List<Object> numbers(int count) {
    return new ArrayList<>(IntStream.range(0, count).boxed().toList());
  }

  private static Filter[] inequalities(int count) {
    return IntStream.range(0, count).mapToObj(i -> test("f" + i, ">", 1)).toArray(Filter[]::new);
  }
}
