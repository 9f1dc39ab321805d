package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A key has one holder at a time, for as long as its lease says. */
final class HolderRules {

  private HolderRules() {}

  static void judge(
      String key, List<Tenure> byAnswer, Bounds bounds, LateRequests late, List<Violation> found) {
    Set<Tenure> broken = new HashSet<>();
    for (int i = 0; i < byAnswer.size(); i++) {
      Tenure one = byAnswer.get(i);
      // An answer may be overtaken by the next one, but not for longer than a lease lasts.
      long horizon = Math.max(one.reliedUntil(), bounds.endAfter(one.grant().at()));
      for (int j = i + 1; j < byAnswer.size() && byAnswer.get(j).grant().at() < horizon; j++) {
        Tenure other = byAnswer.get(j);
        Tenure first = other.isAfter(one) ? one : other;
        Tenure second = first == one ? other : one;
        // Whoever comes after the second one finds the same promise broken.
        if (!broken.contains(first)) {
          violation(key, first, second).ifPresent(violation -> {
            broken.add(first);
            found.add(violation);
          });
        }
      }
      if (one.wasReleased() && !isExcused(one, late)) {
        judgeRelease(key, one, byAnswer, i, found);
      }
    }
  }

  private static Optional<Violation> violation(String key, Tenure first, Tenure second) {
    long passedOn = second.grant().at();
    if (first.releasingAt() <= passedOn) {
      return Optional.empty();
    }
    boolean relied =
        first.promises().stream().anyMatch(p -> p.at() > passedOn && p.until() > p.at());
    if (relied) {
      return Optional.of(new Violation(
          Kind.OVERLAP,
          key,
          passedOn,
          first.name() + " was still sure of its lease after " + second.name() + " had the key"));
    }
    long until = first.promises().stream().mapToLong(Promised::until).max().orElse(passedOn);
    if (until <= passedOn) {
      return Optional.empty();
    }
    return Optional.of(new Violation(
        Kind.BROKEN_PROMISE,
        key,
        passedOn,
        second.name() + " got the key " + (until - passedOn) / 1_000_000
            + " ms before the end that was promised to " + first.name()));
  }

  private static boolean isExcused(Tenure one, LateRequests late) {
    long released = one.release().orElseThrow().at();
    return late.mayConcern(one.grant().worker(), one.grant().sent(), released);
  }

  private static void judgeRelease(
      String key, Tenure one, List<Tenure> byAnswer, int index, List<Violation> found) {
    long sent = one.release().orElseThrow().sent();
    for (int j = index + 1; j < byAnswer.size() && byAnswer.get(j).grant().at() < sent; j++) {
      if (byAnswer.get(j).isAfter(one)) {
        found.add(new Violation(
            Kind.LATE_RELEASE,
            key,
            sent,
            "The store ended the lease of " + one.name() + ", although "
                + byAnswer.get(j).name() + " had the key by then"));
        return;
      }
    }
  }
}
