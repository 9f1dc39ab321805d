package dev.syncguard.firestore.server.query;

import static dev.syncguard.firestore.server.query.QueryDsl.and;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.group;
import static dev.syncguard.firestore.server.query.QueryDsl.nearest;
import static dev.syncguard.firestore.server.query.QueryDsl.or;
import static dev.syncguard.firestore.server.query.QueryDsl.reference;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.query.QueryDsl.where;

import com.google.firestore.v1.StructuredQuery;
import dev.syncguard.firestore.server.value.Values;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which indexes a query needs in production, as its documentation says: the rows that {@link IndexTableTest} checks. */
public final class IndexTable {
  /** A query, the fields that it aggregates, the file of indexes, and whether these are enough. */
  public record Row(
      String name, StructuredQuery query, List<String> aggregated, String file, boolean enough) {
    private Row aggregating(String... fields) {
      return new Row(name, query, List.of(fields), file, enough);
    }
  }

  private IndexTable() {}

  public static List<Row> rows() {
    return Stream.of(automatic(), composites(), merges(), groups(), aggregates(), others())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Row> automatic() {
    return List.of(
        served("a whole collection", collection("c"), ""),
        served("a whole group", group("c"), ""),
        served("one equality", where(test("a", "==", 1)), ""),
        served("a nested field", where(test("m.x", "==", 1)), ""),
        served(
            "equalities and in on any number of fields",
            where(and(test("a", "==", 1), test("b", "==", 1), test("d", "in", List.of(1, 2)))),
            ""),
        served("one range", where(and(test("a", ">", 1), test("a", "<", 9))), ""),
        served("one range, sorted by it", where(test("a", ">", 1)).addOrderBy(desc("a")), ""),
        served("!=", where(test("a", "!=", 1)), ""),
        served("not-in", where(test("a", "not-in", List.of(1))), ""),
        served("one order", collection("c").addOrderBy(desc("a")), ""),
        served("an array-contains", where(test("t", "contains", 1)), ""),
        served(
            "an array-contains and equalities",
            where(and(test("t", "contains", 1), test("a", "==", 1))),
            ""),
        served("the name only", where(test("__name__", ">", reference("c/d"))), ""),
        served(
            "an equality and a range of names",
            where(and(test("a", "==", 1), test("__name__", ">", reference("c/d")))),
            ""),
        served(
            "an equality, names backwards",
            where(test("a", "==", 1)).addOrderBy(desc("__name__")),
            ""),
        served(
            "sorted by a field that is fixed", where(test("a", "==", 1)).addOrderBy(desc("a")), ""),
        served("OR of equalities", where(or(test("a", "==", 1), test("b", "==", 1))), ""),
        served("no collection", StructuredQuery.newBuilder(), ""));
  }

  private static List<Row> composites() {
    StructuredQuery.Builder xThenR = where(test("x", "==", 1)).addOrderBy(asc("r"));
    StructuredQuery.Builder two = collection("c").addOrderBy(asc("a")).addOrderBy(desc("b"));
    return List.of(
        missing("an equality and an order", xThenR, ""),
        served("an equality and an order, with theirs", xThenR, index("x+ r+")),
        missing("the index backwards", xThenR, index("x- r-")),
        served("an equality in either direction", xThenR, index("x- r+")),
        missing("fields the wrong way round", xThenR, index("r+ x+")),
        missing("more fields after the order", xThenR, index("x+ r+ z+")),
        missing("a field before that is not fixed", xThenR, index("z+ x+ r+")),
        missing("another collection's index", xThenR, index("x+ r+").replace("\"c\"", "\"d\"")),
        missing("the index of a group", xThenR, groupIndex("x+ r+")),
        missing("an equality and a range", where(and(test("x", "==", 1), test("r", ">", 1))), ""),
        served(
            "an equality and a range, with theirs",
            where(and(test("x", "==", 1), test("r", ">", 1))),
            index("x+ r+")),
        missing("two orders", two, ""),
        served("two orders, with theirs", two, index("a+ b-")),
        missing("two orders, reversed", two, index("a- b+")),
        missing("two orders, one reversed", two, index("a+ b+")),
        missing("ranges on two fields", where(and(test("a", ">", 1), test("b", ">", 1))), ""),
        served(
            "ranges on two fields, with theirs",
            where(and(test("a", ">", 1), test("b", ">", 1))),
            index("a+ b+")),
        missing(
            "array-contains and an order",
            where(test("t", "contains", 1)).addOrderBy(asc("a")),
            ""),
        served(
            "array-contains and an order, with theirs",
            where(test("t", "contains", 1)).addOrderBy(asc("a")),
            index("t@ a+")),
        missing(
            "array-contains with an index that sorts the array",
            where(test("t", "contains", 1)).addOrderBy(asc("a")),
            index("t+ a+")),
        served(
            "array-contains and sorted by the same field",
            where(and(test("t", "contains", 1), test("x", "==", 1)))
                .addOrderBy(asc("a"))
                .addOrderBy(asc("t")),
            index("t@ x+ a+ t+")),
        missing(
            "names against the last order",
            collection("c").addOrderBy(asc("a")).addOrderBy(desc("__name__")),
            ""),
        served(
            "names against the last order, named",
            collection("c").addOrderBy(asc("a")).addOrderBy(desc("__name__")),
            index("a+ __name__-")),
        missing(
            "names against the last order of a composite",
            where(test("x", "==", 1)).addOrderBy(asc("r")).addOrderBy(desc("__name__")),
            index("x+ r+")),
        served("names as in the last order, named", xThenR, index("x+ r+ __name__+")));
  }

  private static List<Row> merges() {
    StructuredQuery.Builder query =
        where(and(test("x", "==", 1), test("y", "==", 1))).addOrderBy(asc("r"));
    return List.of(
        missing("two equalities and an order", query, ""),
        served("in one index", query, index("x+ y+ r+")),
        served("in one index, the other way", query, index("y+ x+ r+")),
        served("merged from two", query, indexes("x+ r+", "y+ r+")),
        missing("half of it", query, index("x+ r+")),
        missing("merged from two that sort differently", query, indexes("x+ r+", "y+ z+")),
        missing(
            "OR with a range: the range sorts all alternatives",
            where(or(test("a", ">", 2), test("b", "==", 1))),
            ""),
        served(
            "OR with a range, with theirs",
            where(or(test("a", ">", 2), test("b", "==", 1))),
            index("b+ a+")),
        missing(
            "in and an order",
            where(test("x", "in", List.of(1, 2))).addOrderBy(asc("r")),
            index("r+ x+")),
        served(
            "in and an order, with theirs",
            where(test("x", "in", List.of(1, 2))).addOrderBy(asc("r")),
            index("x+ r+")));
  }

  private static List<Row> groups() {
    StructuredQuery.Builder one = group("c").setWhere(test("a", "==", 1));
    StructuredQuery.Builder sorted = group("c").setWhere(test("x", "==", 1)).addOrderBy(asc("r"));
    return List.of(
        missing("a group with an equality", one, ""),
        served("a group with an equality, with an override", one, override("a", "+g")),
        missing("an override for arrays", one, override("a", "@g")),
        served(
            "a group with array-contains, with an override",
            group("c").setWhere(test("t", "contains", 1)),
            override("t", "@g")),
        missing("a group with an order", group("c").addOrderBy(asc("a")), ""),
        served(
            "a group with an order, with an override",
            group("c").addOrderBy(asc("a")),
            override("a", "+g")),
        missing(
            "a group with an order, with an override backwards",
            group("c").addOrderBy(asc("a")),
            override("a", "-g")),
        missing("a group with more", sorted, override("x", "+g")),
        missing("a group with an index for collections", sorted, index("x+ r+")),
        served("a group with its index", sorted, groupIndex("x+ r+")),
        served("names of a group", group("c").addOrderBy(desc("__name__")), ""));
  }

  private static List<Row> aggregates() {
    StructuredQuery.Builder equal = where(test("x", "==", 1));
    return List.of(
        served("count is as its query", equal, ""),
        served("a sum alone", collection("c"), "").aggregating("pages"),
        missing("a sum and an equality", equal, "").aggregating("pages"),
        served("a sum and an equality, with theirs", equal, index("x+ pages+"))
            .aggregating("pages"),
        missing("two sums", collection("c"), "").aggregating("year", "pages"),
        served("two sums, by name", equal, index("x+ pages+ year+")).aggregating("year", "pages"),
        missing("two sums, not by name", equal, index("x+ year+ pages+"))
            .aggregating("year", "pages"),
        served("a sum of what is sorted", where(test("a", ">", 1)), "").aggregating("a"));
  }

  private static List<Row> others() {
    StructuredQuery.Builder close =
        collection("c").setFindNearest(nearest("v", Values.vector(1, 2, 3), 5));
    StructuredQuery.Builder filtered = close.clone().setWhere(test("x", "==", 1));
    return List.of(
        missing("neighbours", close, ""),
        served("neighbours, with theirs", close, vectorIndex("", 3)),
        missing("neighbours of another dimension", close, vectorIndex("", 2)),
        missing("neighbours and an equality", filtered, vectorIndex("", 3)),
        served("neighbours and an equality, with theirs", filtered, vectorIndex("x+", 3)),
        missing("neighbours and too many fields", close, vectorIndex("x+", 3)),
        missing("an exempt field", where(test("a", "==", 1)), override("a", "")),
        missing("below an exempt map", where(test("m.x", "==", 1)), override("m", "")),
        served(
            "below an exempt map, with its own",
            where(test("m.x", "==", 1)),
            "{\"fieldOverrides\":[" + field("m", "") + "," + field("m.x", "+") + "]}"),
        missing("every field exempt", where(test("a", "==", 1)), override("*", "")),
        served(
            "every field exempt, but one",
            where(test("a", "==", 1)),
            "{\"fieldOverrides\":[" + field("*", "") + "," + field("a", "+") + "]}"),
        missing(
            "an override without arrays", where(test("t", "contains", 1)), override("t", "+ -")),
        served(
            "an exempt field in a composite",
            where(test("a", "==", 1)).addOrderBy(asc("b")),
            "{\"indexes\":[" + composite("a+ b+", "COLLECTION") + "],\"fieldOverrides\":["
                + field("a", "") + "]}"));
  }

  private static Row served(String name, StructuredQuery.Builder query, String file) {
    return new Row(name, query.build(), List.of(), file, true);
  }

  static Row missing(String name, StructuredQuery.Builder query, String file) {
    return new Row(name, query.build(), List.of(), file, false);
  }

  /** Returns a file with one index, of which + stands for ascending, - for descending and @ for array elements. */
  private static String index(String fields) {
    return indexes(fields);
  }

  private static String indexes(String... each) {
    return Arrays.stream(each)
        .map(fields -> composite(fields, "COLLECTION"))
        .collect(Collectors.joining(",", "{\"indexes\":[", "]}"));
  }

  private static String groupIndex(String fields) {
    return "{\"indexes\":[" + composite(fields, "COLLECTION_GROUP") + "]}";
  }

  private static String vectorIndex(String fields, int dimension) {
    String vector =
        "{\"fieldPath\":\"v\",\"vectorConfig\":{\"dimension\":" + dimension + ",\"flat\":{}}}]}";
    String before = composite(fields, "COLLECTION");
    return "{\"indexes\":["
        + before.substring(0, before.length() - 2)
        + (fields.isEmpty() ? "" : ",")
        + vector + "]}";
  }

  private static String composite(String fields, String scope) {
    return Arrays.stream(fields.split(" ", -1))
        .filter(field -> !field.isEmpty())
        .map(field -> "{\"fieldPath\":\"" + field.substring(0, field.length() - 1) + "\","
            + order(field.charAt(field.length() - 1)) + "}")
        .collect(Collectors.joining(
            ",", "{\"collectionGroup\":\"c\",\"queryScope\":\"" + scope + "\",\"fields\":[", "]}"));
  }

  private static String override(String field, String indexes) {
    return "{\"fieldOverrides\":[" + field(field, indexes) + "]}";
  }

  private static String field(String field, String indexes) {
    return Arrays.stream(indexes.split(" ", -1))
        .filter(index -> !index.isEmpty())
        .map(index -> "{" + order(index.charAt(0)) + ",\"queryScope\":\""
            + (index.endsWith("g") ? "COLLECTION_GROUP" : "COLLECTION") + "\"}")
        .collect(Collectors.joining(
            ",", "{\"collectionGroup\":\"c\",\"fieldPath\":\"" + field + "\",\"indexes\":[", "]}"));
  }

  private static String order(char sign) {
    return switch (sign) {
      case '+' -> "\"order\":\"ASCENDING\"";
      case '-' -> "\"order\":\"DESCENDING\"";
      case '@' -> "\"arrayConfig\":\"CONTAINS\"";
      default -> throw new IllegalArgumentException("No order is " + sign);
    };
  }
}
