package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Event.Strayed;
import dev.syncguard.torture.history.Event.Wrote;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the store says about keys and ids is so, and its failures are told as failures that pass. */
final class AnswerRules {

  private static final String LOST_DATA = "FenceRegression";

  /** What waiting does not mend; a store that is hurt must not lead to it. */
  private static final Set<String> FINAL = Set.of("Internal", "AuthFailed", "InvalidArgument");

  private record Fenced(String key, long fence) {}

  private final Leases leases;
  private final Bounds bounds;
  private final LateRequests late;
  private final List<Violation> found;
  private final Map<Fenced, Tenure> byFence = new HashMap<>();
  private final Map<Fenced, Integer> writers = new HashMap<>();

  private AnswerRules(Leases leases, Bounds bounds, LateRequests late, List<Violation> found) {
    this.leases = leases;
    this.bounds = bounds;
    this.late = late;
    this.found = found;
    leases
        .byKey()
        .forEach((key, tenures) ->
            tenures.forEach(tenure -> byFence.put(new Fenced(key, tenure.fence()), tenure)));
  }

  static void judge(
      Collection<? extends Event> history,
      Leases leases,
      Bounds bounds,
      LateRequests late,
      List<Violation> found) {
    AnswerRules rules = new AnswerRules(leases, bounds, late, found);
    for (Event event : history) {
      if (event instanceof Looked looked) {
        rules.judge(looked);
      } else if (event instanceof Refused refused) {
        rules.judge(refused);
      } else if (event instanceof Wrote wrote && wrote.accepted()) {
        rules.judge(wrote);
      } else if (event instanceof Strayed strayed && strayed.worked()) {
        rules.judge(strayed);
      }
    }
  }

  private void judge(Strayed strayed) {
    boolean excused = leases
        .find(strayed.worker(), strayed.attempt())
        .filter(tenure -> late.mayConcern(strayed.worker(), tenure.grant().sent(), strayed.at()))
        .isPresent();
    if (!excused) {
      found.add(new Violation(
          Kind.STRAY_SUCCESS,
          strayed.key(),
          strayed.at(),
          "Worker " + strayed.worker() + " could " + strayed.operation()
              + " with the id of a lease that had ended"));
    }
  }

  private void judge(Refused refused) {
    if (refused.why().equals(LOST_DATA)) {
      found.add(new Violation(
          Kind.FALLING_FENCE,
          refused.key(),
          refused.at(),
          "Worker " + refused.worker()
              + " refused a grant, because it had seen a fence at least as high before"));
    } else if (FINAL.contains(refused.why())) {
      found.add(new Violation(
          Kind.WRONG_ERROR,
          refused.key(),
          refused.at(),
          "Worker " + refused.worker() + " was told " + refused.why()
              + ", which says that waiting would not help"));
    }
  }

  private void judge(Wrote wrote) {
    Integer before = writers.putIfAbsent(new Fenced(wrote.key(), wrote.fence()), wrote.worker());
    boolean told = leases.find(wrote.worker(), wrote.attempt()).isPresent();
    if (before != null && before != wrote.worker() && !told) {
      found.add(new Violation(
          Kind.REPEATED_FENCE,
          wrote.key(),
          wrote.at(),
          "The resource was written to by workers " + before + " and " + wrote.worker()
              + " with fence " + wrote.fence()));
    }
  }

  private void judge(Looked looked) {
    Optional<Tenure> holder =
        leases.lastBefore(looked.key(), looked.sent()).filter(tenure -> isCertain(tenure, looked));
    if (holder.isPresent()) {
      boolean right =
          looked.fence() == Looked.SOMEBODY || looked.fence() == holder.get().fence();
      if (!right) {
        blame(looked, "while " + holder.get().name() + " was its holder");
      }
      return;
    }
    Tenure shown = byFence.get(new Fenced(looked.key(), looked.fence()));
    if (shown != null
        && shown.overBy(bounds) < looked.sent()
        && !late.mayConcern(shown.grant().worker(), shown.grant().sent(), looked.at())) {
      blame(looked, "although that lease was over");
    }
  }

  private static boolean isCertain(Tenure tenure, Looked looked) {
    return tenure.releasingAt() >= looked.at()
        && tenure.promises().stream()
            .anyMatch(p -> p.at() <= looked.sent() && p.until() >= looked.at());
  }

  private void blame(Looked looked, String why) {
    String said = looked.fence() == 0
        ? "that nobody holds the key, "
        : "that fence " + looked.fence() + " holds the key, ";
    found.add(new Violation(
        Kind.WRONG_ANSWER,
        looked.key(),
        looked.at(),
        "Worker " + looked.worker() + " was told " + said + why));
  }
}
