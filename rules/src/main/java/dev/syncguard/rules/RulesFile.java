package dev.syncguard.rules;

import dev.syncguard.rules.check.RulesChecker;
import dev.syncguard.rules.syntax.Problem;
import dev.syncguard.rules.syntax.Problem.Severity;
import dev.syncguard.rules.syntax.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The text of a firestore.rules. */
public final class RulesFile {
  private static final int MOST_BYTES = 256 * 1024;

  private RulesFile() {}

  /** Compiles a source; with errors, there are only problems. */
  public static Compilation compile(String source) {
    if (source.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      Problem size =
          new Problem(Severity.ERROR, 1, 1, 1, "Rules have at most " + MOST_BYTES / 1024 + " KB.");
      return new Compilation(List.of(size), Optional.empty());
    }
    SourceReader.Result result = SourceReader.read(source);
    if (result instanceof SourceReader.Unreadable unreadable) {
      return new Compilation(unreadable.problems(), Optional.empty());
    }
    var readable = ((SourceReader.Parsed) result).source();
    List<Problem> problems = new ArrayList<>(RulesChecker.check(readable));
    problems.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
    boolean usable = problems.stream().noneMatch(Problem::isError);
    return new Compilation(problems, usable ? Optional.of(new Rules(readable)) : Optional.empty());
  }
}
