package dev.syncguard.firestore.server.validity;

import static com.google.firestore.v1.StructuredQuery.UnaryFilter.Operator.IS_NAN;
import static com.google.rpc.Code.INVALID_ARGUMENT;
import static dev.syncguard.firestore.server.query.QueryDsl.ROOT;
import static dev.syncguard.firestore.server.query.QueryDsl.and;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.at;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.field;
import static dev.syncguard.firestore.server.query.QueryDsl.group;
import static dev.syncguard.firestore.server.query.QueryDsl.is;
import static dev.syncguard.firestore.server.query.QueryDsl.reference;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.query.QueryDsl.where;
import static dev.syncguard.firestore.server.validity.ValidityRow.accepted;
import static dev.syncguard.firestore.server.validity.ValidityRow.refused;
import static dev.syncguard.firestore.server.validity.ValidityRow.refusedBelow;

import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import java.util.List;

/** Which names, collections, orders, limits and cursors a query may have. */
final class ClauseRows {
  private static final String MORE_AFTER_KEY =
      "order by clause cannot contain more fields after the key";
  private static final String UNSET = "Cannot convert firestore.v1.Value with type unset.";
  private static final String KEY = "__key__ filter value must be a Key";

  private ClauseRows() {}

  static List<ValidityRow> names() {
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

  static List<ValidityRow> sources() {
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

  static List<ValidityRow> orders() {
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
        accepted("the key backwards", collection("c").addOrderBy(desc("__name__")))
            .emulator("FAILED_PRECONDITION Firestore does not support descending key scans"),
        accepted("the key backwards in a group", group("c").addOrderBy(desc("__name__")))
            .emulator("FAILED_PRECONDITION Firestore does not support descending key scans"),
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

  static List<ValidityRow> cursors() {
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
}
