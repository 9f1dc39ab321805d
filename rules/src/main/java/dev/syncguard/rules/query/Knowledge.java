package dev.syncguard.rules.query;

import dev.syncguard.rules.query.QueryFilter.Field;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is certain about every document that one alternative of a query finds. Thread-safe. */
public final class Knowledge {
  private static final List<String> NAME = List.of("__name__");

  private final List<Field> facts;
  private final List<List<String>> existing;

  private Knowledge(List<Field> facts, List<List<String>> existing) {
    this.facts = facts;
    this.existing = existing;
  }

  /** Returns what each alternative of a query lets us know; nothing if there are too many alternatives. */
  public static Optional<List<Knowledge>> of(RulesQuery query) {
    List<List<String>> ordered =
        query.orderBy().stream().map(RulesQuery.Order::field).toList();
    return Disjunction.of(query.where())
        .map(alternatives -> alternatives.stream()
            .map(facts -> {
              List<List<String>> existing = new ArrayList<>(ordered);
              facts.forEach(fact -> existing.add(fact.field()));
              return new Knowledge(facts, existing);
            })
            .toList());
  }

  /** Returns the path of the document, if only one document comes into question. */
  public Optional<PathValue> name() {
    return facts.stream()
        .filter(fact -> fact.field().equals(NAME) && fact.operator() == Operator.EQUAL)
        .flatMap(fact -> fact.value() instanceof PathValue path
            ? java.util.stream.Stream.of(path)
            : java.util.stream.Stream.empty())
        .findFirst();
  }

  /** Returns the value of a field, or what is certain about it. */
  Outcome field(List<String> field) {
    for (Field fact : facts) {
      int length = fact.field().size();
      if (fact.operator() == Operator.EQUAL
          && length <= field.size()
          && field.subList(0, length).equals(fact.field())) {
        return below(fact.value(), field.subList(length, field.size()));
      }
    }
    return new UnknownField(field, this);
  }

  private static Outcome below(RulesValue value, List<String> names) {
    RulesValue at = value;
    for (String name : names) {
      RulesValue next = at instanceof MapValue map ? map.entries().get(name) : null;
      if (next == null) {
        return Failure.undefined(name);
      }
      at = next;
    }
    return at;
  }

  /** Returns what is demanded of just this field. */
  List<Field> about(List<String> field) {
    return facts.stream().filter(fact -> fact.field().equals(field)).toList();
  }

  /** Returns whether every document has that field. */
  boolean exists(List<String> field) {
    return existing.stream().anyMatch(known -> startsWith(known, field));
  }

  /** Returns whether every document has a field inside of that one, so that it is a map. */
  boolean isMap(List<String> field) {
    return field.isEmpty()
        || existing.stream()
            .anyMatch(known -> known.size() > field.size() && startsWith(known, field));
  }

  private static boolean startsWith(List<String> field, List<String> beginning) {
    return field.size() >= beginning.size()
        && field.subList(0, beginning.size()).equals(beginning);
  }
}
