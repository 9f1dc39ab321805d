package dev.syncguard.benchmarks.report;

import java.util.Collections;
import java.util.List;

/** A report as a page of Markdown. */
final class Markdown {

  private final Report report;

  Markdown(Report report) {
    this.report = report;
  }

  String text() {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(report.title()).append("\n\n");
    page.append("Written by `benchmarks/run`. ")
        .append(
            "All take turns in short slices, round by round; a ratio is taken inside each round.")
        .append(" Figures are the median of all rounds, with the quartiles in brackets.")
        .append(" A target is met if the worse quartile keeps it.\n\n");
    report.machine().forEach(fact -> page.append("- ").append(fact).append('\n'));
    if (!report.goals().isEmpty()) {
      targets(page);
    }
    page.append("\n![The same as a chart](").append(report.topic()).append(".svg)\n");
    for (Section section : report.sections()) {
      page.append("\n## ").append(section.title()).append("\n\n");
      page.append(section.text()).append("\n\n");
      table(page, section.header(), section.rows());
    }
    return page.toString();
  }

  private void targets(StringBuilder page) {
    page.append("\n## Targets\n\n");
    table(
        page,
        List.of("figure", "measured", "target", "verdict"),
        report.goals().stream()
            .map(goal -> List.of(
                goal.what(),
                Numbers.with(goal.measured()),
                goal.target().toString(),
                goal.verdict()))
            .toList());
  }

  private static void table(StringBuilder page, List<String> header, List<List<String>> rows) {
    row(page, header);
    row(page, Collections.nCopies(header.size(), "---"));
    rows.forEach(cells -> row(page, cells));
  }

  private static void row(StringBuilder page, List<String> cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
