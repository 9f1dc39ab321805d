package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.Problem;
import dev.syncguard.rules.syntax.Site;
import java.util.ArrayList;
import java.util.List;

/** The problems found so far. Used by one thread. */
final class Problems {
  private final List<Problem> found = new ArrayList<>();

  void error(Site site, String message) {
    found.add(Problem.error(site, message));
  }

  void warn(Site site, String message) {
    found.add(Problem.warning(site, message));
  }

  List<Problem> all() {
    return List.copyOf(found);
  }
}
