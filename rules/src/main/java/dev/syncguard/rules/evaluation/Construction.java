package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.ListLiteral;
import dev.syncguard.rules.syntax.Expression.MapLiteral;
import dev.syncguard.rules.syntax.Expression.PathLiteral;
import dev.syncguard.rules.syntax.Expression.PathPart;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes lists, maps and paths out of what is written between their brackets. Not thread-safe. */
final class Construction {
  private final Evaluation evaluation;

  Construction(Evaluation evaluation) {
    this.evaluation = evaluation;
  }

  Outcome list(ListLiteral literal, Scope scope) {
    List<RulesValue> elements = new ArrayList<>(literal.elements().size());
    for (Expression element : literal.elements()) {
      Outcome outcome = evaluation.value(element, scope);
      if (!(outcome instanceof RulesValue value)) {
        return outcome;
      }
      elements.add(value);
    }
    return RulesValue.list(elements);
  }

  Outcome map(MapLiteral literal, Scope scope) {
    Map<String, RulesValue> entries = new HashMap<>();
    for (int i = 0; i < literal.keys().size(); i++) {
      Outcome outcome = evaluation.value(literal.values().get(i), scope);
      if (!(outcome instanceof RulesValue value)) {
        return outcome;
      }
      entries.put(literal.keys().get(i), value);
    }
    return RulesValue.MapValue.made(entries);
  }

  Outcome path(PathLiteral literal, Scope scope) {
    List<String> segments = new ArrayList<>();
    for (PathPart part : literal.parts()) {
      if (part.expression().isEmpty()) {
        segments.add(part.text());
        continue;
      }
      Outcome outcome = evaluation.value(part.expression().get(), scope);
      if (outcome instanceof StringValue text) {
        segments.add(text.value());
      } else if (outcome instanceof PathValue path) {
        segments.addAll(path.segments());
      } else {
        return outcome instanceof RulesValue value
            ? Failure.type(value, ValueType.STRING, ValueType.PATH)
            : outcome;
      }
    }
    return new PathValue(segments);
  }
}
