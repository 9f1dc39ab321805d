package dev.syncguard.torture.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the promises that a history shows broken.
 *
 * <p>It never accuses on suspicion: where a call was under way, it assumes the moment that is best for the store; where
 * something was done to a worker, it assumes that the worker held whatever it might have held for as long as a lease lasts. What
 * it finds can be explained by no store that keeps its promises.
 */
public final class Judge {

  private Judge() {}

  /** Returns what is wrong with a history, in the order in which it happened; nothing, if all can be explained. */
  public static List<Violation> violations(Collection<? extends Event> history, Bounds bounds) {
    Leases leases = Leases.of(history);
    LateRequests late = LateRequests.in(history, bounds);
    List<Violation> found = new ArrayList<>();
    leases.byKey().forEach((key, tenures) -> {
      FenceRules.judge(key, tenures, found);
      HolderRules.judge(key, tenures, bounds, late, found);
    });
    GapRules.judge(history, bounds, found);
    AnswerRules.judge(history, leases, bounds, late, found);
    AbsenceRules.judge(history, leases, bounds, found);
    WaitRules.judge(history, leases, bounds, found);
    found.sort(Comparator.comparingLong(Violation::at));
    return found;
  }
}
