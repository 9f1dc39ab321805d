package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.MatchBlock;
import dev.syncguard.rules.syntax.PatternSegment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the paths of matches. */
final class PatternChecker {
  private static final int MOST_LEVELS = 10;
  private static final int MOST_SEGMENTS = 100;
  private static final int MOST_CAPTURES = 20;

  private final Problems problems;
  private final int version;

  PatternChecker(Problems problems, int version) {
    this.problems = problems;
    this.version = version;
  }

  static Optional<String> capture(PatternSegment segment) {
    if (segment instanceof PatternSegment.One one) {
      return Optional.of(one.name());
    }
    return segment instanceof PatternSegment.Many many
        ? Optional.of(many.name())
        : Optional.empty();
  }

  /** Checks the last match of a chain, all others of which lie around it. */
  void check(List<MatchBlock> chain, boolean firestore) {
    MatchBlock block = chain.get(chain.size() - 1);
    List<PatternSegment> whole =
        chain.stream().flatMap(match -> match.pattern().stream()).toList();
    limits(chain.size(), whole, block);
    wildcards(block);
    if (block.allows().isEmpty() && block.matches().isEmpty()) {
      problems.warn(block.range(), "This match allows nothing; it has no effect.");
    }
    if (firestore && !block.allows().isEmpty()) {
      reachability(whole, block);
    }
  }

  private void limits(int levels, List<PatternSegment> whole, MatchBlock block) {
    if (levels > MOST_LEVELS) {
      problems.error(block.range(), "Matches nest at most " + MOST_LEVELS + " levels deep.");
    }
    if (whole.size() > MOST_SEGMENTS) {
      problems.error(block.range(), "A path has at most " + MOST_SEGMENTS + " segments.");
    }
    if (whole.stream().filter(segment -> capture(segment).isPresent()).count() > MOST_CAPTURES) {
      problems.error(block.range(), "A path has at most " + MOST_CAPTURES + " wildcards.");
    }
  }

  private void wildcards(MatchBlock block) {
    Set<String> names = new HashSet<>();
    for (PatternSegment segment : block.pattern()) {
      capture(segment)
          .filter(name -> !names.add(name))
          .ifPresent(name ->
              problems.error(block.range(), "Wildcard " + name + " appears twice in one path."));
    }
    List<PatternSegment> many =
        block.pattern().stream().filter(PatternSegment.Many.class::isInstance).toList();
    if (many.size() > 1) {
      problems.error(block.range(), "A path has at most one wildcard with '=**'.");
    }
    boolean last = many.isEmpty()
        || block.pattern().get(block.pattern().size() - 1) instanceof PatternSegment.Many;
    if (version == 1 && (!last || (!many.isEmpty() && !block.matches().isEmpty()))) {
      problems.error(
          block.range(),
          "In version 1, '=**' must be the last segment; write rules_version = '2';");
    }
  }

  private void reachability(List<PatternSegment> whole, MatchBlock block) {
    boolean open = whole.stream().anyMatch(PatternSegment.Many.class::isInstance);
    if (!fits(whole, 0, "databases") || !fits(whole, 2, "documents")) {
      problems.warn(
          block.range(), "Unreachable: every document lies below /databases/{database}/documents.");
    } else if (!open && (whole.size() < 4 || whole.size() % 2 == 0)) {
      problems.warn(
          block.range(),
          "Unreachable: this is the path of a collection, but only documents are"
              + " matched; add a segment such as {id}.");
    }
  }

  private static boolean fits(List<PatternSegment> whole, int index, String text) {
    for (int i = 0; i <= index && i < whole.size(); i++) {
      if (whole.get(i) instanceof PatternSegment.Many) {
        return true;
      }
    }
    return index < whole.size()
        && !(whole.get(index) instanceof PatternSegment.Exactly exactly
            && !exactly.text().equals(text));
  }
}
