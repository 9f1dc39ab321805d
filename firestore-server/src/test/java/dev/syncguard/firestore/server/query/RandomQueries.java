package dev.syncguard.firestore.server.query;

import static dev.syncguard.firestore.server.query.QueryDsl.and;
import static dev.syncguard.firestore.server.query.QueryDsl.asc;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;
import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.group;
import static dev.syncguard.firestore.server.query.QueryDsl.is;
import static dev.syncguard.firestore.server.query.QueryDsl.or;
import static dev.syncguard.firestore.server.query.QueryDsl.reference;
import static dev.syncguard.firestore.server.query.QueryDsl.test;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.Order;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Documents and valid queries about them at random. Field {@code a} has few values, {@code b} many, {@code m.x} lies in a
 * map, {@code t} is an array, {@code x} is exempt from the indexes of collection c,
 * {@code every} has one value, and {@code all} is an array that always has the same element.
 */
final class RandomQueries {
  private static final List<String> FIELDS = List.of("a", "a", "b", "m.x", "t", "x", "every");
  private static final List<String> RANGES = List.of("<", "<=", ">", ">=");
  private static final List<String> IDS = List.of("__id7__", "__id-3__", "A", "\uD83D\uDE00");

  private final Random random;
  private final int ids;
  private final int parents;

  /** @param parents how many documents have a collection c below them */
  RandomQueries(Random random, int ids, int parents) {
    this.random = random;
    this.ids = ids;
    this.parents = parents;
  }

  /** Returns the path of a document: mostly in c, sometimes in a collection of that id elsewhere, or in another. */
  String path() {
    String id =
        random.nextInt(50) == 0 ? IDS.get(random.nextInt(IDS.size())) : "d" + random.nextInt(ids);
    return switch (random.nextInt(10)) {
      case 0 -> "c/p" + random.nextInt(parents) + "/c/" + id;
      case 1 -> "other/p/c/" + id;
      case 2 -> "other/" + id;
      default -> "c/" + id;
    };
  }

  Map<String, Value> fields() {
    Map<String, Value> fields = new TreeMap<>();
    fields.put("every", Values.of(1));
    fields.put("all", Values.array(Values.of(1), Values.of(random.nextInt(2))));
    if (random.nextInt(5) > 0) {
      fields.put("a", value());
    }
    if (random.nextInt(10) > 0) {
      fields.put("b", random.nextInt(20) == 0 ? value() : Values.of((long) random.nextInt(ids)));
    }
    if (random.nextBoolean()) {
      fields.put("m", Values.map(Map.of("x", value())));
    }
    if (random.nextBoolean()) {
      fields.put("t", Values.array(element(), element()));
    }
    if (random.nextBoolean()) {
      fields.put("x", value());
    }
    return fields;
  }

  private Value value() {
    return switch (random.nextInt(16)) {
      case 0 -> Values.nothing();
      case 1 -> Values.of(random.nextBoolean());
      case 2 -> Values.of(random.nextInt(3) + 0.5);
      case 3 -> Values.of(Double.NaN);
      case 4 -> Values.of(random.nextBoolean() ? 9_007_199_254_740_993L : 0L);
      case 5 -> Values.of(random.nextBoolean() ? 9_007_199_254_740_992.0 : 0.0);
      case 6 -> Values.array(element(), element());
      case 7 -> Values.map(Map.of(random.nextBoolean() ? "k" : "l", element()));
      case 8 -> vector(random.nextInt(4));
      case 9 -> Values.bytes(random.nextInt(256), 1);
      case 10 -> random.nextBoolean() ? Values.time(random.nextInt(3)) : Values.point(1, 2);
      case 11 -> reference("c/d" + random.nextInt(3));
      default -> element();
    };
  }

  /** Two short ones, and two long ones that begin alike. */
  private static Value vector(int which) {
    return which < 2 ? Values.vector(which, 1) : Values.vector(1, 1, 1, 1, 1, 1, 1, 1, which);
  }

  /** An array holds no arrays. */
  private Value element() {
    return switch (random.nextInt(6)) {
      case 0 -> Values.nothing();
      case 1 -> Values.of(Double.NaN);
      case 2 -> Values.of(List.of("x", "y", "\uD83D\uDE00", "\uFFFD").get(random.nextInt(4)));
      default -> Values.of((long) random.nextInt(4));
    };
  }

  StructuredQuery query(List<Document> documents) {
    boolean group = random.nextInt(3) == 0;
    StructuredQuery.Builder query = group ? group("c") : collection("c");
    if (random.nextInt(20) == 0) {
      return group("").setLimit(Int32Value.of(random.nextInt(30))).build();
    }
    if (random.nextInt(12) == 0) {
      return query.setWhere(and(names())).build();
    }
    if (random.nextInt(8) == 0) {
      return ofMany(query).build();
    }
    List<Filter> filters = random.nextInt(8) == 0
        ? List.of(test("every", "==", 1), is("a", UnaryFilter.Operator.IS_NULL))
            .subList(0, 1 + random.nextInt(2))
        : filters(random.nextInt(4));
    if (!filters.isEmpty()) {
      query.setWhere(and(filters.toArray(Filter[]::new)));
    }
    boolean byName = filters.stream()
        .allMatch(filter -> !filter.hasCompositeFilter()
            && filter.getFieldFilter().getOp() == FieldFilter.Operator.EQUAL);
    List<Order> orders = orders(byName);
    query.addAllOrderBy(orders);
    if (!orders.isEmpty() && !documents.isEmpty() && random.nextInt(3) > 0) {
      query.setStartAt(cursor(orders, documents.get(random.nextInt(documents.size()))));
    }
    if (!orders.isEmpty() && !documents.isEmpty() && random.nextInt(3) == 0) {
      query.setEndAt(cursor(orders, documents.get(random.nextInt(documents.size()))));
    }
    if (random.nextInt(3) == 0) {
      query.setLimit(Int32Value.of(random.nextInt(12)));
      query.setOffset(random.nextInt(3));
    }
    return query.build();
  }

  /** What nearly all documents have, within some names or not, and sorted by name or by a field that has no index. */
  private StructuredQuery.Builder ofMany(StructuredQuery.Builder query) {
    List<Filter> filters = new ArrayList<>();
    filters.add(
        switch (random.nextInt(3)) {
          case 0 -> test("every", "==", 1);
          case 1 -> test("all", "contains", 1);
          default -> test("b", ">=", 0);
        });
    if (random.nextBoolean()) {
      filters.add(test("__name__", range(), reference(path())));
    }
    if (random.nextBoolean()) {
      query.addOrderBy(asc("x"));
    }
    return query.setWhere(and(filters.toArray(Filter[]::new)));
  }

  /** One name, with or without a field beside it; or several bounds of names, of which one is the narrowest. */
  private Filter[] names() {
    return switch (random.nextInt(3)) {
      case 0 -> new Filter[] {test("__name__", "==", reference(path()))};
      case 1 -> new Filter[] {test("__name__", "==", reference(path())), test("every", "==", 1)};
      default ->
        new Filter[] {
          test("__name__", range(), reference(path())),
          test("__name__", range(), reference(path())),
          test("__name__", range(), reference(path()))
        };
    };
  }

  // At most one negation, one array-contains; not-in stands without alternatives.
  private List<Filter> filters(int count) {
    List<Filter> filters = new ArrayList<>();
    boolean alternatives = false;
    boolean negation = false;
    boolean contains = false;
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(12)) {
        case 0 -> {
          if (!negation) {
            filters.add(
                random.nextBoolean()
                    ? test(field(), "!=", value())
                    : is(
                        field(),
                        random.nextBoolean()
                            ? UnaryFilter.Operator.IS_NOT_NULL
                            : UnaryFilter.Operator.IS_NOT_NAN));
            negation = true;
          }
        }
        case 1 -> {
          if (!negation && !alternatives) {
            filters.add(test(field(), "not-in", List.of(value(), value())));
            negation = true;
            alternatives = true; // none may follow
          }
        }
        case 2 -> {
          if (!contains) {
            filters.add(test("t", "contains", element()));
            contains = true;
          }
        }
        case 3 -> {
          if (!contains && !alternatives) {
            filters.add(test("t", "any", List.of(element(), element())));
            contains = true;
            alternatives = true;
          }
        }
        case 4 -> {
          if (!alternatives) {
            filters.add(test(field(), "in", List.of(value(), value(), value())));
            alternatives = true;
          }
        }
        case 5 -> {
          if (!alternatives) {
            filters.add(or(simple(), and(simple(), simple())));
            alternatives = true;
          }
        }
        case 6 ->
          filters.add(is(
              field(),
              random.nextBoolean() ? UnaryFilter.Operator.IS_NULL : UnaryFilter.Operator.IS_NAN));
        case 7 -> filters.add(test("__name__", range(), reference(path())));
        default -> filters.add(simple());
      }
    }
    return filters;
  }

  private Filter simple() {
    if (random.nextInt(4) == 0) {
      return test("b", range(), random.nextInt(ids));
    }
    return test(field(), random.nextBoolean() ? "==" : range(), value());
  }

  private List<Order> orders(boolean byName) {
    List<Order> orders = new ArrayList<>();
    boolean descending = random.nextBoolean();
    for (String field : List.of("every", "b", "a", "m.x")) {
      if (random.nextInt(4) == 0) {
        // An index with one more field is read in one direction; the other needs to be sorted.
        descending ^= random.nextInt(4) == 0;
        orders.add(descending ? desc(field) : asc(field));
      }
    }
    if (byName && random.nextBoolean()) {
      orders.add(random.nextInt(4) == 0 ^ descending ? desc("__name__") : asc("__name__"));
    }
    return orders;
  }

  /** A position at a document or beside it, by all of the orders or by some. */
  private Cursor cursor(List<Order> orders, Document document) {
    Cursor.Builder cursor = Cursor.newBuilder().setBefore(random.nextBoolean());
    int values = 1 + random.nextInt(orders.size());
    for (Order order : orders.subList(0, values)) {
      String field = order.getField().getFieldPath();
      cursor.addValues(
          field.equals("__name__")
              ? Values.reference(document.getName())
              : random.nextInt(3) == 0
                  ? value()
                  : document.getFieldsOrDefault(field, Values.of(1)));
    }
    return cursor.build();
  }

  private String range() {
    return RANGES.get(random.nextInt(RANGES.size()));
  }

  private String field() {
    return FIELDS.get(random.nextInt(FIELDS.size()));
  }
}
