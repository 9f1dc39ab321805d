package dev.syncguard.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** All that was found out about one topic. */
public record Report(String topic, String title, List<String> machine, List<Section> sections) {

  public Report {
    machine = List.copyOf(machine);
    sections = List.copyOf(sections);
  }

  /** Writes the tables and the chart into this directory, which is created if it is missing. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(topic + ".md"), new Markdown(this).text());
    Files.writeString(directory.resolve(topic + ".svg"), new SvgChart(title, figures()).text());
  }

  List<Goal> goals() {
    return sections.stream().flatMap(section -> section.goals().stream()).toList();
  }

  private List<Figure> figures() {
    return sections.stream()
        .<Figure>flatMap(section -> section.figures().stream())
        .toList();
  }

  /** Returns one line for each target. */
  public List<String> summary() {
    return goals().stream()
        .map(goal -> goal.what() + ": " + Numbers.with(goal.measured()) + ", target "
            + goal.target() + ": " + goal.verdict().replace("**", ""))
        .toList();
  }
}
