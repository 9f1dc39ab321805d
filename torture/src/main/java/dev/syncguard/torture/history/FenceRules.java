package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Violation.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fences of a key never repeat, and never fall. */
final class FenceRules {

  private FenceRules() {}

  static void judge(String key, List<Tenure> byAnswer, List<Violation> found) {
    Map<Long, Tenure> known = new HashMap<>();
    for (Tenure tenure : byAnswer) {
      Tenure before = known.putIfAbsent(tenure.fence(), tenure);
      if (before != null) {
        found.add(new Violation(
            Kind.REPEATED_FENCE,
            key,
            tenure.grant().at(),
            "Fence " + tenure.fence() + " went to worker " + before.grant().worker()
                + " and then to worker " + tenure.grant().worker()));
      }
    }
    List<Tenure> byRequest = byAnswer.stream()
        .sorted(Comparator.comparingLong(tenure -> tenure.grant().sent()))
        .toList();
    int answered = 0;
    Tenure highest = null;
    for (Tenure tenure : byRequest) {
      // All that were answered before this one was asked for.
      while (answered < byAnswer.size()
          && byAnswer.get(answered).grant().at() < tenure.grant().sent()) {
        Tenure earlier = byAnswer.get(answered++);
        highest = highest == null || earlier.fence() > highest.fence() ? earlier : highest;
      }
      if (highest != null && tenure.fence() < highest.fence()) {
        found.add(new Violation(
            Kind.FALLING_FENCE,
            key,
            tenure.grant().at(),
            "Fence " + tenure.fence() + " was asked for after fence " + highest.fence()
                + " had been granted"));
      }
    }
  }
}
