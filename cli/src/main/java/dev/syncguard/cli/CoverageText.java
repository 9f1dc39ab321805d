package dev.syncguard.cli;

import dev.syncguard.rules.report.Coverage;
import dev.syncguard.rules.report.Coverage.Covered;
import dev.syncguard.rules.report.CoverageHtml;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.SourceRange;
import java.util.ArrayList;
import java.util.List;

/** Shows coverage on a terminal: one line for each expression that asks something. */
final class CoverageText {

  private final String source;
  private final List<String> lines = new ArrayList<>();
  private final List<JsonLine> json = new ArrayList<>();
  private int evaluated;

  CoverageText(Coverage coverage) {
    this.source = coverage.source().text();
    coverage.report().forEach(expression -> add(expression, 0));
  }

  private void add(Covered covered, int level) {
    Expression expression = covered.expression();
    // What is only named or written out has the same value wherever it is used.
    if (!(expression instanceof Expression.Literal) && !(expression instanceof Expression.Name)) {
      SourceRange range = expression.range();
      String text = SourceText.shortened(range.textIn(source));
      evaluated += covered.isEvaluated() ? 1 : 0;
      lines.add("L" + range.line() + ":" + range.column() + "  " + "  ".repeat(level) + text
          + "  → " + CoverageHtml.title(covered));
      json.add(new JsonLine()
          .add("line", range.line())
          .add("column", range.column())
          .add("expression", text)
          .add("evaluated", covered.isEvaluated())
          .add("values", CoverageHtml.title(covered)));
    }
    covered.children().forEach(child -> add(child, level + 1));
  }

  List<JsonLine> json() {
    return json;
  }

  String text() {
    return "Coverage: " + evaluated + " of " + lines.size() + " expressions were evaluated\n"
        + String.join("\n", lines) + "\n";
  }
}
