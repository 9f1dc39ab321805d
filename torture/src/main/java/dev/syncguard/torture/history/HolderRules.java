package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.List;

/** A key has one holder at a time, for as long as its lease says. */
final class HolderRules {

  private HolderRules() {}

  static void judge(String key, List<Tenure> byAnswer, Bounds bounds, List<Violation> found) {
    for (int i = 0; i < byAnswer.size(); i++) {
      Tenure one = byAnswer.get(i);
      // An answer may be overtaken by the next one, but not for longer than a lease lasts.
      long horizon = Math.max(one.reliedUntil(), bounds.endAfter(one.grant().at()));
      for (int j = i + 1; j < byAnswer.size() && byAnswer.get(j).grant().at() < horizon; j++) {
        Tenure other = byAnswer.get(j);
        if (other.isAfter(one)) {
          judgePair(key, one, other, found);
        } else {
          judgePair(key, other, one, found);
        }
      }
      judgeRelease(key, one, byAnswer, i, found);
    }
  }

  private static void judgePair(String key, Tenure first, Tenure second, List<Violation> found) {
    long passedOn = second.grant().at();
    if (first.releasingAt() <= passedOn) {
      return;
    }
    boolean relied =
        first.promises().stream().anyMatch(p -> p.at() > passedOn && p.until() > p.at());
    if (relied) {
      found.add(new Violation(
          Kind.OVERLAP,
          key,
          passedOn,
          first.name() + " was still sure of its lease after " + second.name() + " had the key"));
      return;
    }
    long until = first.promises().stream().mapToLong(Promised::until).max().orElse(0);
    if (until > passedOn) {
      found.add(new Violation(
          Kind.BROKEN_PROMISE,
          key,
          passedOn,
          second.name() + " got the key " + (until - passedOn) / 1_000_000
              + " ms before the end that was promised to " + first.name()));
    }
  }

  private static void judgeRelease(
      String key, Tenure one, List<Tenure> byAnswer, int index, List<Violation> found) {
    if (!one.wasReleased()) {
      return;
    }
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
