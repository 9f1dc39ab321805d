package dev.syncguard.benchmarks.report;

import java.util.List;

/**
 * What one benchmark found: a table, the reading of it, the figures that have targets and their part of the chart.
 *
 * @param text what was done, in a few sentences
 */
public record Section(
    String title,
    String text,
    List<String> header,
    List<List<String>> rows,
    List<Goal> goals,
    List<? extends Figure> figures) {

  public Section {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
    goals = List.copyOf(goals);
    figures = List.copyOf(figures);
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException("A row of '" + title + "' has " + row.size()
            + " cells below a header of " + header.size());
      }
    }
  }
}
