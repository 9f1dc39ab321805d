package dev.syncguard.rules.report;

import dev.syncguard.rules.syntax.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Shows problems of a source as compilers do: where, what, and the line with a mark below. Thread-safe. */
public final class ProblemText {
  private final String file;
  private final List<String> lines;

  /** @param file how the source is called */
  public ProblemText(String file, String source) {
    this.file = file;
    this.lines = List.of(source.split("\r?\n", -1));
  }

  /** Returns one paragraph for each problem. */
  public String of(List<Problem> problems) {
    return problems.stream().map(this::of).collect(Collectors.joining("\n"));
  }

  /** Returns the message with the line that it is about, and a mark below the place. */
  public String of(Problem problem) {
    String word = problem.isError() ? "error" : "warning";
    String line = lines.get(Math.min(problem.line(), lines.size()) - 1);
    int start = Math.min(problem.column() - 1, line.length());
    int length = Math.max(1, Math.min(problem.length(), line.length() - start));
    // Tabs stay tabs, so that the mark is below what it means however wide they are.
    String indent = line.substring(0, start).replaceAll("[^\t]", " ");
    return file + ":" + problem.line() + ":" + problem.column() + ": " + word + ": "
        + problem.message() + "\n  " + line + "\n  " + indent + "^" + "~".repeat(length - 1);
  }
}
