package dev.syncguard.rules;

import dev.syncguard.rules.syntax.Problem;
import java.util.List;
import java.util.Optional;

/**
 * What a compiler has to say about a source.
 *
 * @param problems in the order of the source
 * @param rules the compiled rules, unless there are errors
 */
public record Compilation(List<Problem> problems, Optional<Rules> rules) {
  public Compilation {
    problems = List.copyOf(problems);
  }

  /** Returns the problems because of which the source cannot be used. */
  public List<Problem> errors() {
    return problems.stream().filter(Problem::isError).toList();
  }
}
