package dev.syncguard.rules.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.rules.report.Coverage.Count;
import dev.syncguard.rules.report.Coverage.Covered;
import dev.syncguard.rules.syntax.SourceRange;
import java.util.List;

/** Writes coverage as the emulator's {@code ruleCoverage} does. */
public final class CoverageJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FILE = "firestore.rules";

  private CoverageJson() {}

  /** Returns the coverage in the form in which the emulator serves it. */
  public static String of(Coverage coverage) {
    ObjectNode root = JSON.createObjectNode();
    root.putObject("rules")
        .putArray("files")
        .addObject()
        .put("name", FILE)
        .put("content", coverage.source().text());
    reports(root.putArray("report"), coverage.report());
    return root.toPrettyString();
  }

  private static void reports(ArrayNode array, List<Covered> expressions) {
    for (Covered covered : expressions) {
      ObjectNode report = array.addObject();
      SourceRange range = covered.expression().range();
      report
          .putObject("sourcePosition")
          .put("fileName", FILE)
          .put("line", range.line())
          .put("column", range.column())
          .put("currentOffset", range.start())
          .put("endOffset", range.end());
      if (covered.isEvaluated()) {
        ArrayNode values = report.putArray("values");
        covered.counts().forEach(count -> value(values.addObject(), count));
      }
      if (!covered.children().isEmpty()) {
        reports(report.putArray("children"), covered.children());
      }
    }
  }

  private static void value(ObjectNode node, Count count) {
    ObjectNode value = node.putObject("value");
    switch (count.value().kind()) {
      case TRUE -> value.put("boolValue", true);
      case FALSE -> value.put("boolValue", false);
      case VALUE -> value.put("stringValue", count.value().text());
      case UNKNOWN, ERROR ->
        value.putObject("undefined").put("causeMessage", count.value().text());
    }
    node.put("count", count.times());
  }
}
