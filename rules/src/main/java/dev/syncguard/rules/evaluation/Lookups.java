package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.ValueType;
import java.util.List;
import java.util.Optional;

/** The functions that look into the database of the request. Not thread-safe. */
final class Lookups {
  private static final int ROOT = 3;

  private final String database;
  private final LookupBudget budget;

  Lookups(String database, LookupBudget budget) {
    this.database = database;
    this.budget = budget;
  }

  Outcome call(String function, List<RulesValue> arguments) {
    if (arguments.size() != 1) {
      return Failure.because("Wrong number of arguments.");
    }
    if (!(arguments.get(0) instanceof PathValue path)) {
      return Failure.type(arguments.get(0), ValueType.PATH);
    }
    if (!isDocument(path.segments())) {
      return Failure.because(
          "A document's path begins with /databases/$(database)/documents and has an even number"
              + " of further segments.");
    }
    String below =
        String.join("/", path.segments().subList(ROOT, path.segments().size()));
    Optional<MapValue> found =
        function.endsWith("After") ? budget.after(below) : budget.before(below);
    if (function.startsWith("exists")) {
      return RulesValue.of(found.isPresent());
    }
    return found.isPresent() ? DocumentValues.document(path, found.get()) : RulesValue.NULL;
  }

  private boolean isDocument(List<String> segments) {
    return segments.size() > ROOT
        && segments.size() % 2 == 1
        && segments.get(0).equals("databases")
        && segments.get(1).equals(database)
        && segments.get(2).equals("documents")
        && segments.stream().noneMatch(segment -> segment.isEmpty() || segment.contains("/"));
  }
}
