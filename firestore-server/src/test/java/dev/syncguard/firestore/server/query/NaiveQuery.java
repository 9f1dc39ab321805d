package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Cursor;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CompositeFilter;
import com.google.firestore.v1.StructuredQuery.Direction;
import com.google.firestore.v1.StructuredQuery.FieldFilter;
import com.google.firestore.v1.StructuredQuery.Filter;
import com.google.firestore.v1.StructuredQuery.UnaryFilter;
import com.google.firestore.v1.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a query finds, from what is known of Firestore and nothing of ours: it looks at every document, in the plainest way,
 * and shares no code with the server. Paths of fields are dotted, without quotes.
 */
final class NaiveQuery {
  private record Order(String field, boolean descending) {}

  private final String parent;
  private final StructuredQuery query;
  private final List<Order> orders;

  NaiveQuery(String parent, StructuredQuery query) {
    this.parent = parent;
    this.query = query;
    this.orders = orders();
  }

  /** Returns the names of the results in their order. */
  List<String> run(Collection<Document> documents) {
    List<Document> found = new ArrayList<>();
    for (Document document : documents) {
      if (isInScope(document)
          && (!query.hasWhere() || matches(query.getWhere(), document))
          && orders.stream().allMatch(order -> at(document, order.field()) != null)
          && isWithinCursors(document)) {
        found.add(document);
      }
    }
    found.sort(this::compare);
    return found.stream()
        .skip(query.getOffset())
        .limit(query.hasLimit() ? query.getLimit().getValue() : Long.MAX_VALUE)
        .map(Document::getName)
        .toList();
  }

  private boolean isInScope(Document document) {
    List<String> names = List.of(document.getName().split("/", -1));
    List<String> above = List.of(parent.split("/", -1));
    if (names.size() < above.size() + 2 || !names.subList(0, above.size()).equals(above)) {
      return false;
    }
    String id = query.getFromCount() == 0 ? "" : query.getFrom(0).getCollectionId();
    boolean deep = query.getFromCount() > 0 && query.getFrom(0).getAllDescendants();
    return (id.isEmpty() || names.get(names.size() - 2).equals(id))
        && (deep || names.size() == above.size() + 2);
  }

  // The explicit orders, then the fields of inequalities by name, then the key; the last explicit
  // one says which way.
  private List<Order> orders() {
    List<Order> all = new ArrayList<>();
    for (StructuredQuery.Order order : query.getOrderByList()) {
      all.add(
          new Order(order.getField().getFieldPath(), order.getDirection() == Direction.DESCENDING));
    }
    boolean descending = !all.isEmpty() && all.get(all.size() - 1).descending();
    TreeSet<String> implied = new TreeSet<>();
    if (query.hasWhere()) {
      collectInequalities(query.getWhere(), implied);
    }
    implied.remove("__name__");
    List<String> rest = new ArrayList<>(implied);
    rest.add("__name__");
    for (String field : rest) {
      if (all.stream().noneMatch(order -> order.field().equals(field))) {
        all.add(new Order(field, descending));
      }
    }
    return all;
  }

  private static void collectInequalities(Filter filter, Set<String> fields) {
    if (filter.hasCompositeFilter()) {
      filter
          .getCompositeFilter()
          .getFiltersList()
          .forEach(part -> collectInequalities(part, fields));
    } else if (filter.hasUnaryFilter()) {
      if (filter.getUnaryFilter().getOp() == UnaryFilter.Operator.IS_NOT_NULL
          || filter.getUnaryFilter().getOp() == UnaryFilter.Operator.IS_NOT_NAN) {
        fields.add(filter.getUnaryFilter().getField().getFieldPath());
      }
    } else {
      switch (filter.getFieldFilter().getOp()) {
        case EQUAL, IN, ARRAY_CONTAINS, ARRAY_CONTAINS_ANY -> {}
        default -> fields.add(filter.getFieldFilter().getField().getFieldPath());
      }
    }
  }

  private static boolean matches(Filter filter, Document document) {
    if (filter.hasCompositeFilter()) {
      CompositeFilter composite = filter.getCompositeFilter();
      return composite.getOp() == CompositeFilter.Operator.OR
          ? composite.getFiltersList().stream().anyMatch(part -> matches(part, document))
          : composite.getFiltersList().stream().allMatch(part -> matches(part, document));
    }
    if (filter.hasUnaryFilter()) {
      Value value = at(document, filter.getUnaryFilter().getField().getFieldPath());
      return value != null
          && switch (filter.getUnaryFilter().getOp()) {
            case IS_NULL -> isNull(value);
            case IS_NAN -> isNaN(value);
            case IS_NOT_NULL -> !isNull(value);
            case IS_NOT_NAN -> !isNull(value) && !isNaN(value);
            default -> throw new IllegalArgumentException();
          };
    }
    Value value = at(document, filter.getFieldFilter().getField().getFieldPath());
    return value != null && matches(filter.getFieldFilter(), value);
  }

  private static boolean matches(FieldFilter filter, Value value) {
    Value operand = filter.getValue();
    List<Value> operands = operand.getArrayValue().getValuesList();
    List<Value> elements = value.getArrayValue().getValuesList();
    return switch (filter.getOp()) {
      case EQUAL -> same(value, operand);
      case NOT_EQUAL -> !isNull(operand) && !isNull(value) && !same(value, operand);
      case IN -> operands.stream().anyMatch(each -> same(value, each));
      case NOT_IN ->
        !isNull(value)
            && operands.stream().noneMatch(NaiveQuery::isNull)
            && operands.stream().noneMatch(each -> same(value, each));
      case ARRAY_CONTAINS -> elements.stream().anyMatch(each -> same(each, operand));
      case ARRAY_CONTAINS_ANY ->
        elements.stream().anyMatch(each -> operands.stream().anyMatch(any -> same(each, any)));
      case LESS_THAN -> comparable(value, operand) && NaiveOrder.compare(value, operand) < 0;
      case LESS_THAN_OR_EQUAL ->
        comparable(value, operand) && NaiveOrder.compare(value, operand) <= 0;
      case GREATER_THAN -> comparable(value, operand) && NaiveOrder.compare(value, operand) > 0;
      case GREATER_THAN_OR_EQUAL ->
        comparable(value, operand) && NaiveOrder.compare(value, operand) >= 0;
      default -> throw new IllegalArgumentException();
    };
  }

  /** Nothing is the same as null or NaN, not even itself. */
  private static boolean same(Value a, Value b) {
    return !isNull(a) && !isNaN(a) && NaiveOrder.compare(a, b) == 0;
  }

  private static boolean comparable(Value a, Value b) {
    return NaiveOrder.rank(a) == NaiveOrder.rank(b)
        && !isNull(a)
        && !isNaN(a)
        && !isNull(b)
        && !isNaN(b);
  }

  private static boolean isNull(Value value) {
    return value.hasNullValue();
  }

  private static boolean isNaN(Value value) {
    return value.hasDoubleValue() && Double.isNaN(value.getDoubleValue());
  }

  private static @Nullable Value at(Document document, String path) {
    if (path.equals("__name__")) {
      return Value.newBuilder().setReferenceValue(document.getName()).build();
    }
    Map<String, Value> level = document.getFieldsMap();
    Value value = null;
    for (String name : path.split("\\.", -1)) {
      value = level.get(name);
      if (value == null) {
        return null;
      }
      level = value.getMapValue().getFieldsMap();
    }
    return value;
  }

  private int compare(Document a, Document b) {
    for (Order order : orders) {
      int result = NaiveOrder.compare(value(a, order), value(b, order));
      if (result != 0) {
        return order.descending() ? -result : result;
      }
    }
    return 0;
  }

  private static Value value(Document document, Order order) {
    Value value = at(document, order.field());
    return value == null ? Value.getDefaultInstance() : value;
  }

  private boolean isWithinCursors(Document document) {
    int fromStart = query.hasStartAt() ? compare(document, query.getStartAt()) : 1;
    int fromEnd = query.hasEndAt() ? compare(document, query.getEndAt()) : -1;
    return (query.getStartAt().getBefore() ? fromStart >= 0 : fromStart > 0)
        && (query.getEndAt().getBefore() ? fromEnd < 0 : fromEnd <= 0);
  }

  private int compare(Document document, Cursor cursor) {
    for (int i = 0; i < cursor.getValuesCount(); i++) {
      int result = NaiveOrder.compare(value(document, orders.get(i)), cursor.getValues(i));
      if (result != 0) {
        return orders.get(i).descending() ? -result : result;
      }
    }
    return 0;
  }
}
