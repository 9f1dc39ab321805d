package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Violation.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A lease that promised more time is still at the store when its holder releases it.
 *
 * <p>A release whose first answer was lost finds nothing, and rightly so: only workers that nothing was done to are heard, and
 * only answers that came too soon to be second ones.
 */
final class AbsenceRules {

  /** No client gives up on an answer, and asks again, in less. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(1);

  private AbsenceRules() {}

  static void judge(
      Collection<? extends Event> history, Leases leases, Bounds bounds, List<Violation> found) {
    List<Hurt> hurts =
        history.stream().filter(Hurt.class::isInstance).map(Hurt.class::cast).toList();
    leases.byKey().forEach((key, tenures) -> {
      for (Tenure tenure : tenures) {
        tenure
            .release()
            .filter(release -> release.ending() == Ending.ABSENT)
            .filter(release -> release.at() - release.sent() < FIRST_ANSWER.toNanos())
            .filter(release -> tenure.promisedUntil() > release.at())
            .filter(release -> isUnhurt(tenure, release, hurts, bounds))
            .ifPresent(release -> found.add(new Violation(
                Kind.BROKEN_PROMISE,
                key,
                release.at(),
                "The store did not have the lease of " + tenure.name() + " any more, "
                    + (tenure.promisedUntil() - release.at()) / 1_000_000
                    + " ms before the end that was promised")));
      }
    });
  }

  private static boolean isUnhurt(
      Tenure tenure, Released release, List<Hurt> hurts, Bounds bounds) {
    return hurts.stream()
        .filter(hurt -> hurt.worker() == Hurt.STORE || hurt.worker() == release.worker())
        .noneMatch(hurt -> hurt.at() <= release.at()
            && bounds.endAfter(hurt.until()) >= tenure.grant().sent());
  }
}
