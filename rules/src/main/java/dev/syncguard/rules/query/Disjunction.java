package dev.syncguard.rules.query;

import dev.syncguard.rules.query.QueryFilter.Field;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns a filter into alternatives in each of which everything holds at once. */
final class Disjunction {
  private static final int MOST_ALTERNATIVES = 100;

  private Disjunction() {}

  /** Returns the alternatives, or nothing if there are too many to go through. */
  static Optional<List<List<Field>>> of(QueryFilter filter) {
    List<List<Field>> alternatives = alternatives(filter);
    return alternatives.size() > MOST_ALTERNATIVES ? Optional.empty() : Optional.of(alternatives);
  }

  private static List<List<Field>> alternatives(QueryFilter filter) {
    if (filter instanceof QueryFilter.Any any) {
      return union(any.filters());
    } else if (filter instanceof QueryFilter.All all) {
      return product(all.filters());
    }
    return ofField((Field) filter);
  }

  private static List<List<Field>> union(List<QueryFilter> filters) {
    List<List<Field>> union = new ArrayList<>();
    for (QueryFilter part : filters) {
      union.addAll(alternatives(part));
      if (union.size() > MOST_ALTERNATIVES) {
        break;
      }
    }
    return union;
  }

  private static List<List<Field>> product(List<QueryFilter> filters) {
    List<List<Field>> product = List.of(List.of());
    for (QueryFilter part : filters) {
      List<List<Field>> next = new ArrayList<>();
      for (List<Field> left : product) {
        for (List<Field> right : alternatives(part)) {
          List<Field> both = new ArrayList<>(left);
          both.addAll(right);
          next.add(both);
        }
      }
      product = next;
      if (product.size() > MOST_ALTERNATIVES) {
        break;
      }
    }
    return product;
  }

  private static List<List<Field>> ofField(Field field) {
    List<RulesValue> values =
        field.value() instanceof ListValue list ? list.elements() : List.of(field.value());
    return switch (field.operator()) {
      case IN -> each(field, Operator.EQUAL, values);
      case ARRAY_CONTAINS_ANY -> each(field, Operator.ARRAY_CONTAINS, values);
      case NOT_IN ->
        List.of(values.stream()
            .map(value -> new Field(field.field(), Operator.NOT_EQUAL, value))
            .toList());
      default -> List.of(List.of(field));
    };
  }

  private static List<List<Field>> each(Field field, Operator operator, List<RulesValue> values) {
    return values.stream()
        .map(value -> List.of(new Field(field.field(), operator, value)))
        .toList();
  }
}
