package dev.syncguard.firestore.server.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.syncguard.rules.report.RulesExplanation;
import dev.syncguard.rules.report.RulesExplanation.Step;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.SourceRange;
import dev.syncguard.rules.value.Display;
import java.util.Set;

/** The expressions of a decision with their values, as the page shows them and no longer than it can. */
final class Reasons {
  private static final int MOST_STEPS = 100;
  private static final int LONGEST_EXPRESSION = 200;
  private static final Set<String> WHOLE = Set.of("request", "resource", "resource.data");

  private final String source;
  private final ArrayNode steps = JsonNodeFactory.instance.arrayNode();

  private Reasons(String source) {
    this.source = source;
  }

  static ArrayNode of(String source, RulesExplanation explanation) {
    Reasons reasons = new Reasons(source);
    explanation.steps().forEach(step -> reasons.add(step, 0));
    return reasons.steps;
  }

  private void add(Step step, int level) {
    if (step.expression() instanceof Expression.Literal || steps.size() >= MOST_STEPS) {
      return;
    }
    SourceRange range = step.expression().range();
    String text = range.textIn(source).replaceAll("\\s+", " ");
    if (WHOLE.contains(text)) {
      return; // All of it, again and again; what matters of it has a line of its own.
    }
    steps
        .addObject()
        .put("line", range.line())
        .put("column", range.column())
        .put("level", level)
        .put(
            "expression",
            text.length() > LONGEST_EXPRESSION ? text.substring(0, LONGEST_EXPRESSION) + "…" : text)
        .put("value", Display.of(step.outcome()));
    step.steps().forEach(inner -> add(inner, level + 1));
  }
}
