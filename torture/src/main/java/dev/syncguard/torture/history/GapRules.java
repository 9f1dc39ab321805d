package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Fences of a key grow by one with each attempt that gets it, and by nothing else.
 *
 * <p>Judged only until somebody is hurt for the first time: from then on an attempt may have used up fences of which nobody learnt.
 */
final class GapRules {

  private GapRules() {}

  static void judge(Collection<? extends Event> history, List<Violation> found) {
    long hurt = history.stream()
        .filter(Hurt.class::isInstance)
        .mapToLong(event -> ((Hurt) event).at())
        .min()
        .orElse(Long.MAX_VALUE);
    // Whoever was told that somebody else has the key got no fence.
    Set<String> empty = new HashSet<>();
    for (Event event : history) {
      if (event instanceof Refused refused && refused.why().equals(Refused.HELD)) {
        empty.add(refused.worker() + " " + refused.attempt());
      }
    }
    Map<String, List<Asked>> asked = history.stream()
        .filter(Asked.class::isInstance)
        .map(Asked.class::cast)
        .filter(attempt -> !empty.contains(attempt.worker() + " " + attempt.attempt()))
        .collect(Collectors.groupingBy(Asked::key));
    history.stream()
        .filter(Granted.class::isInstance)
        .map(Granted.class::cast)
        .filter(grant -> grant.at() < hurt)
        .sorted(Comparator.comparingLong(Granted::at))
        .collect(Collectors.groupingBy(Granted::key))
        .forEach((key, grants) -> judge(key, grants, asked.getOrDefault(key, List.of()), found));
  }

  private static void judge(
      String key, List<Granted> grants, List<Asked> asked, List<Violation> found) {
    Granted first = grants.get(0);
    for (Granted grant : grants) {
      long others = asked.stream().filter(attempt -> attempt.at() < grant.at()).count() - 1;
      if (grant.fence() - first.fence() > others) {
        found.add(new Violation(
            Kind.SKIPPED_FENCE,
            key,
            grant.at(),
            "Fence " + grant.fence() + " came after fence " + first.fence() + " although only "
                + others + " other attempts can have got one"));
        return;
      }
    }
  }
}
