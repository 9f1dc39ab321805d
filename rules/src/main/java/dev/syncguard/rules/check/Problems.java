package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.Problem;
import dev.syncguard.rules.syntax.SourceRange;
import java.util.ArrayList;
import java.util.List;

/** The problems found so far. Not thread-safe. */
final class Problems {
  private final List<Problem> found = new ArrayList<>();

  void error(SourceRange range, String message) {
    found.add(Problem.error(range, message));
  }

  void warn(SourceRange range, String message) {
    found.add(Problem.warning(range, message));
  }

  List<Problem> all() {
    return List.copyOf(found);
  }
}
