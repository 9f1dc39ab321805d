package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Violation.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A key that somebody waits for is granted soon after it is free. */
final class WaitRules {

  private static final Set<String> HARMLESS = Set.of(Refused.HELD, "AcquisitionTimeout");

  /** A time in which somebody may have got a key without anybody's knowledge, or was kept from asking for it. */
  private record Trouble(long from, long until) {}

  private final Leases leases;
  private final Bounds bounds;
  private final List<Violation> found;
  private final List<Trouble> everywhere = new ArrayList<>();
  private final Map<String, List<Trouble>> byKey = new HashMap<>();

  private WaitRules(Leases leases, Bounds bounds, List<Violation> found) {
    this.leases = leases;
    this.bounds = bounds;
    this.found = found;
  }

  static void judge(
      Collection<? extends Event> history, Leases leases, Bounds bounds, List<Violation> found) {
    WaitRules rules = new WaitRules(leases, bounds, found);
    for (Event event : history) {
      if (event instanceof Hurt hurt) {
        rules.everywhere.add(new Trouble(hurt.at(), bounds.endAfter(hurt.until())));
      } else if (event instanceof Refused refused && !HARMLESS.contains(refused.why())) {
        rules
            .byKey
            .computeIfAbsent(refused.key(), key -> new ArrayList<>())
            .add(new Trouble(refused.sent(), bounds.endAfter(refused.at())));
      }
    }
    Map<String, List<Wait>> waits = new HashMap<>();
    Wait.in(history)
        .forEach(
            wait -> waits.computeIfAbsent(wait.key(), key -> new ArrayList<>()).add(wait));
    waits.forEach(rules::judgeGaps);
    List<Long> delays = new ArrayList<>();
    leases.byKey().keySet().forEach(key -> rules.judgeHandOffs(key, delays));
    rules.judgeWakeUps(delays);
  }

  private void judgeGaps(String key, List<Wait> waits) {
    Set<Long> told = new HashSet<>();
    for (Wait wait : waits) {
      long cursor = wait.from();
      while (cursor < wait.until()) {
        Optional<Tenure> next = leases.firstIn(key, cursor, wait.until());
        long end = next.map(tenure -> tenure.grant().at()).orElse(wait.until());
        long free = leases
            .lastBefore(key, cursor)
            .map(tenure -> tenure.overBy(bounds))
            .orElse(Long.MIN_VALUE);
        long owed = free == Tenure.UNKNOWN ? free : calmFrom(key, Math.max(free, cursor), end);
        if (owed < end && end - owed > bounds.stuck().toNanos() && told.add(owed)) {
          found.add(new Violation(
              Kind.STUCK_KEY,
              key,
              owed + bounds.stuck().toNanos(),
              "Nobody got the key for " + (end - owed) / 1_000_000
                  + " ms after every lease on it was over, although worker " + wait.worker()
                  + " waited for it"));
        }
        cursor = end;
      }
    }
  }

  /** Returns from when on, before the end, no trouble can explain any more that nobody gets the key. */
  private long calmFrom(String key, long from, long end) {
    if (end - from <= bounds.stuck().toNanos()) {
      return from;
    }
    long calm = from;
    for (List<Trouble> troubles : List.of(everywhere, byKey.getOrDefault(key, List.of()))) {
      for (Trouble trouble : troubles) {
        if (trouble.from < end) {
          calm = Math.max(calm, trouble.until);
        }
      }
    }
    return calm;
  }

  /** Judges each hand-off that nothing disturbed, and notes how long it took. */
  private void judgeHandOffs(String key, List<Long> delays) {
    List<Tenure> tenures = leases.byKey().getOrDefault(key, List.of());
    for (int i = 0; i + 1 < tenures.size(); i++) {
      Tenure tenure = tenures.get(i);
      if (!tenure.wasReleased()) {
        continue;
      }
      long released = tenure.release().orElseThrow().at();
      long granted = tenures.get(i + 1).grant().at();
      boolean waited = tenures.get(i + 1).grant().sent() < tenure.releasingAt();
      if (!waited || isTroubled(key, tenure.releasingAt(), granted)) {
        continue;
      }
      delays.add(granted - released);
      if (granted - released > bounds.wakeUp().toNanos()) {
        found.add(new Violation(
            Kind.LOST_WAKE_UP,
            key,
            released,
            "A waiter got the key only " + (granted - released) / 1_000_000
                + " ms after its release"));
      }
    }
  }

  private void judgeWakeUps(List<Long> delays) {
    delays.sort(Long::compare);
    if (!bounds.wakes() || delays.size() < Bounds.ENOUGH_HAND_OVERS) {
      return;
    }
    long median = delays.get(delays.size() / 2);
    if (median > Bounds.WOKEN.toNanos()) {
      found.add(new Violation(
          Kind.LOST_WAKE_UP,
          leases.byKey().keySet().iterator().next(),
          leases.byKey().values().iterator().next().get(0).grant().at(),
          "Half of " + delays.size() + " waiters got their key more than " + median / 1_000_000
              + " ms after its release: they are not woken, they only ask now and then"));
    }
  }

  private boolean isTroubled(String key, long from, long until) {
    return everywhere.stream().anyMatch(t -> t.from <= until && t.until >= from)
        || byKey.getOrDefault(key, List.of()).stream()
            .anyMatch(t -> t.from <= until && t.until >= from);
  }
}
