package dev.syncguard.rules.query;

import dev.syncguard.rules.query.QueryFilter.Field;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.value.Comparison;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.RulesValueOrder;
import dev.syncguard.rules.value.Unknown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/** A field, or all fields, of a document that a query could find. */
record UnknownField(List<String> field, Knowledge knowledge) implements Unknown {
  @Override
  public String description() {
    return field.isEmpty() ? "resource.data" : "resource.data." + String.join(".", field);
  }

  private List<String> child(String name) {
    List<String> all = new ArrayList<>(field);
    all.add(name);
    return all;
  }

  @Override
  public Outcome member(String name) {
    return knowledge.field(child(name));
  }

  @Override
  public Outcome isOfType(String word) {
    if (knowledge.isMap(field)) {
      return RulesValue.of(word.equals("map"));
    }
    for (Field fact : knowledge.about(field)) {
      if (fact.operator() == Operator.ARRAY_CONTAINS) {
        return RulesValue.of(word.equals("list"));
      } else if (isRange(fact)) {
        boolean numbers = fact.value().type().isNumber();
        // The field holds numbers, but of which kind is not known.
        return numbers && (word.equals("int") || word.equals("float"))
            ? opaque()
            : RulesValue.of(
                numbers ? word.equals("number") : fact.value().type().is(word));
      }
    }
    return opaque();
  }

  @Override
  public Outcome contains(RulesValue element) {
    boolean certain = isContained(element)
        || (element instanceof StringValue key && knowledge.exists(child(key.value())));
    return certain ? RulesValue.TRUE : opaque();
  }

  private boolean isContained(RulesValue element) {
    return knowledge.about(field).stream()
        .anyMatch(
            fact -> fact.operator() == Operator.ARRAY_CONTAINS && fact.value().equals(element));
  }

  @Override
  public Outcome call(String method, List<RulesValue> arguments) {
    if (method.equals("keys") && arguments.isEmpty() && knowledge.isMap(field)) {
      return new UnknownKeys(this);
    } else if (method.equals("get")
        && arguments.size() == 2
        && arguments.get(0) instanceof StringValue key
        && knowledge.exists(child(key.value()))) {
      return member(key.value());
    } else if (arguments.size() == 1 && arguments.get(0) instanceof ListValue list) {
      return answer(method, list.elements());
    }
    return opaque();
  }

  private Outcome answer(String method, Collection<RulesValue> elements) {
    boolean certain = (method.equals("hasAny") && elements.stream().anyMatch(this::isContained))
        || (method.equals("hasAll") && elements.stream().allMatch(this::isContained));
    return certain && !elements.isEmpty() ? RulesValue.TRUE : opaque();
  }

  @Override
  public Outcome compare(Comparison comparison, RulesValue other) {
    if (comparison == Comparison.EQUAL || comparison == Comparison.NOT_EQUAL) {
      boolean equal = comparison == Comparison.EQUAL;
      if (isNever(other)) {
        return RulesValue.of(!equal);
      }
      boolean pinned =
          follows(Comparison.LESS_OR_EQUAL, other) && follows(Comparison.GREATER_OR_EQUAL, other);
      return pinned ? RulesValue.of(equal) : opaque();
    }
    if (follows(comparison, other)) {
      return RulesValue.TRUE;
    }
    return follows(opposite(comparison), other) ? RulesValue.FALSE : opaque();
  }

  /** Returns whether no document can have that value there. */
  private boolean isNever(RulesValue other) {
    for (Field fact : knowledge.about(field)) {
      boolean isNull = other instanceof RulesValue.NullValue;
      if (fact.operator() == Operator.NOT_EQUAL
          && (isNull || RulesValueOrder.areEqual(fact.value(), other))) {
        return true;
      } else if (fact.operator() == Operator.ARRAY_CONTAINS && !(other instanceof ListValue)) {
        return true;
      } else if (isRange(fact) && !satisfies(other, fact)) {
        return true;
      }
    }
    return knowledge.isMap(field) && !(other instanceof RulesValue.MapValue);
  }

  /** Returns whether the range that the query demands lies wholly on that side of the value. */
  private boolean follows(Comparison comparison, RulesValue other) {
    for (Field fact : knowledge.about(field)) {
      OptionalInt order =
          isRange(fact) ? RulesValueOrder.order(fact.value(), other) : OptionalInt.empty();
      if (order.isPresent() && implies(fact.operator(), order.getAsInt(), comparison)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether {@code x operator bound} implies {@code x comparison other}, by how bound compares to other. */
  private static boolean implies(Operator operator, int boundToOther, Comparison comparison) {
    return switch (comparison) {
      case LESS ->
        (operator == Operator.LESS && boundToOther <= 0)
            || (operator == Operator.LESS_OR_EQUAL && boundToOther < 0);
      case LESS_OR_EQUAL ->
        (operator == Operator.LESS || operator == Operator.LESS_OR_EQUAL) && boundToOther <= 0;
      case GREATER ->
        (operator == Operator.GREATER && boundToOther >= 0)
            || (operator == Operator.GREATER_OR_EQUAL && boundToOther > 0);
      case GREATER_OR_EQUAL ->
        (operator == Operator.GREATER || operator == Operator.GREATER_OR_EQUAL)
            && boundToOther >= 0;
      case EQUAL, NOT_EQUAL -> false;
    };
  }

  private static Comparison opposite(Comparison comparison) {
    return switch (comparison) {
      case LESS -> Comparison.GREATER_OR_EQUAL;
      case LESS_OR_EQUAL -> Comparison.GREATER;
      case GREATER -> Comparison.LESS_OR_EQUAL;
      case GREATER_OR_EQUAL -> Comparison.LESS;
      case EQUAL -> Comparison.NOT_EQUAL;
      case NOT_EQUAL -> Comparison.EQUAL;
    };
  }

  private static boolean isRange(Field fact) {
    return switch (fact.operator()) {
      case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> true;
      default -> false;
    };
  }

  /** Returns whether a value may lie in the range, which holds only values of its own type. */
  private static boolean satisfies(RulesValue value, Field fact) {
    boolean numbers = value.type().isNumber() && fact.value().type().isNumber();
    if (!numbers && value.type() != fact.value().type()) {
      return false;
    }
    Comparison comparison = Comparison.valueOf(fact.operator().name());
    OptionalInt order = RulesValueOrder.order(value, fact.value());
    return order.isEmpty() || comparison.holds(order.getAsInt());
  }
}
