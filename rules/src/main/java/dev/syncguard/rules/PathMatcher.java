package dev.syncguard.rules;

import dev.syncguard.rules.RequestPath.AnyOne;
import dev.syncguard.rules.RequestPath.Known;
import dev.syncguard.rules.RequestPath.Step;
import dev.syncguard.rules.query.UnknownId;
import dev.syncguard.rules.syntax.PatternSegment;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.Unknown;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Compares a path with a pattern that must match it whatever its uncertain parts are. Used by one thread, once. */
final class PathMatcher {
  private final List<PatternSegment> pattern;
  private final List<Step> path;
  private final int fewestOfMany;
  /** What has been tried in vain, by the positions in pattern and path, so that no search grows exponentially. */
  private final boolean[][] failed;

  private final Deque<Outcome> captures = new ArrayDeque<>();

  private PathMatcher(List<PatternSegment> pattern, List<Step> path, int version) {
    this.pattern = pattern;
    this.path = path;
    this.fewestOfMany = version == 1 ? 1 : 0;
    this.failed = new boolean[pattern.size() + 1][path.size() + 1];
  }

  /** Returns what the wildcards of the pattern stand for, in their order, or nothing if it does not match. */
  static Optional<List<Outcome>> match(
      List<PatternSegment> pattern, RequestPath path, int version) {
    PathMatcher matcher = new PathMatcher(pattern, path.steps(), version);
    return matcher.matches(0, 0) ? Optional.of(List.copyOf(matcher.captures)) : Optional.empty();
  }

  private boolean matches(int segment, int step) {
    if (segment == pattern.size()) {
      return step == path.size();
    }
    if (failed[segment][step]) {
      return false;
    }
    if (pattern.get(segment) instanceof PatternSegment.Many many) {
      for (int end = step + fewestOfMany; end <= path.size(); end++) {
        if (captured(many(many.name(), path.subList(step, end)), segment, end)) {
          return true;
        }
      }
    } else if (step < path.size() && matchesOne(segment, step)) {
      return true;
    }
    failed[segment][step] = true;
    return false;
  }

  private boolean matchesOne(int segment, int step) {
    if (pattern.get(segment) instanceof PatternSegment.Exactly exactly) {
      return path.get(step) instanceof Known known
          && known.text().equals(exactly.text())
          && matches(segment + 1, step + 1);
    }
    String name = ((PatternSegment.One) pattern.get(segment)).name();
    if (path.get(step) instanceof Known known) {
      return captured(RulesValue.of(known.text()), segment, step + 1);
    }
    return path.get(step) instanceof AnyOne && captured(new UnknownId(name), segment, step + 1);
  }

  private boolean captured(Outcome capture, int segment, int nextStep) {
    captures.addLast(capture);
    if (matches(segment + 1, nextStep)) {
      return true;
    }
    captures.removeLast();
    return false;
  }

  private static Outcome many(String name, List<Step> steps) {
    List<String> segments = new ArrayList<>();
    for (Step step : steps) {
      if (!(step instanceof Known known)) {
        return new Unknown.Anything(name);
      }
      segments.add(known.text());
    }
    return new PathValue(segments);
  }
}
