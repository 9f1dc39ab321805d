package dev.syncguard.rules;

import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.value.Comparison;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.NullValue;
import dev.syncguard.rules.value.RulesValueOrder;
import java.util.List;

/**
 * Whether a query of Firestore finds a document: the plain meaning of its filters. Only that a filter for an int finds the
 * equal double, too, is left out, because the rules take a number that a filter demands as it is written.
 */
final class Finding {
  private Finding() {}

  static boolean finds(QueryFilter filter, MapValue document) {
    if (filter instanceof QueryFilter.All all) {
      return all.filters().stream().allMatch(part -> finds(part, document));
    } else if (filter instanceof QueryFilter.Any any) {
      return any.filters().stream().anyMatch(part -> finds(part, document));
    }
    QueryFilter.Field field = (QueryFilter.Field) filter;
    RulesValue actual = document.entries().get(field.field().get(0));
    return actual != null && finds(field, actual);
  }

  private static boolean finds(QueryFilter.Field field, RulesValue actual) {
    List<RulesValue> several =
        field.value() instanceof ListValue list ? list.elements() : List.of(field.value());
    return switch (field.operator()) {
      case EQUAL -> actual.equals(field.value());
      case NOT_EQUAL ->
        !(actual instanceof NullValue) && !RulesValueOrder.areEqual(actual, field.value());
      case IN -> several.contains(actual);
      case NOT_IN ->
        !(actual instanceof NullValue)
            && several.stream().noneMatch(value -> RulesValueOrder.areEqual(actual, value));
      case ARRAY_CONTAINS, ARRAY_CONTAINS_ANY ->
        actual instanceof ListValue list && list.elements().stream().anyMatch(several::contains);
      default -> {
        var order = RulesValueOrder.order(actual, field.value());
        yield order.isPresent()
            && Comparison.valueOf(field.operator().name()).holds(order.getAsInt());
      }
    };
  }
}
