package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.OfWorker;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Fences of a key grow by one with each grant, and by nothing else.
 *
 * <p>An attempt gets one grant, or none if it was told that somebody else has the key. Each ttl that it lasts may have used up one
 * more: a grant whose answer took that long is given back, and the attempt goes on. Judged only until somebody is hurt for the
 * first time: from then on an attempt may have used up fences of which nobody learnt.
 */
final class GapRules {

  private record Name(int worker, long attempt) {}

  private final Map<Name, OfWorker> answers = new HashMap<>();
  private final long ttl;

  private GapRules(Bounds bounds) {
    this.ttl = bounds.ttl().toNanos();
  }

  static void judge(Collection<? extends Event> history, Bounds bounds, List<Violation> found) {
    new GapRules(bounds).judge(history, found);
  }

  private void judge(Collection<? extends Event> history, List<Violation> found) {
    long hurt = Long.MAX_VALUE;
    for (Event event : history) {
      if (event instanceof Hurt) {
        hurt = Math.min(hurt, event.at());
      } else if (event instanceof Granted || event instanceof Refused) {
        OfWorker answer = (OfWorker) event;
        answers.put(new Name(answer.worker(), answer.attempt()), answer);
      }
    }
    long firstHurt = hurt;
    Map<String, List<Asked>> asked = history.stream()
        .filter(Asked.class::isInstance)
        .map(Asked.class::cast)
        .collect(Collectors.groupingBy(Asked::key));
    history.stream()
        .filter(Granted.class::isInstance)
        .map(Granted.class::cast)
        .filter(grant -> grant.at() < firstHurt)
        .sorted(Comparator.comparingLong(Granted::at))
        .collect(Collectors.groupingBy(Granted::key))
        .forEach((key, grants) -> judge(key, grants, asked.getOrDefault(key, List.of()), found));
  }

  private void judge(String key, List<Granted> grants, List<Asked> asked, List<Violation> found) {
    Granted first = grants.get(0);
    for (Granted grant : grants) {
      long others = asked.stream()
              .filter(attempt -> attempt.at() < grant.at())
              .mapToLong(attempt -> mostGrants(attempt, grant.at()))
              .sum()
          - 1;
      if (grant.fence() - first.fence() > others) {
        found.add(new Violation(
            Kind.SKIPPED_FENCE,
            key,
            grant.at(),
            "Fence " + grant.fence() + " came after fence " + first.fence() + " although only "
                + others + " others can have been granted"));
        return;
      }
    }
  }

  /** Returns how many fences an attempt can have used up until then. */
  private long mostGrants(Asked attempt, long until) {
    OfWorker answer = answers.get(new Name(attempt.worker(), attempt.attempt()));
    long lasted = (answer == null ? until : Math.min(answer.at(), until)) - attempt.at();
    boolean gotNone = answer instanceof Refused refused && refused.why().equals(Refused.HELD);
    return lasted / ttl + (gotNone ? 0 : 1);
  }
}
