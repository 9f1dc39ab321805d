package dev.syncguard.lock.testkit.history;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.testkit.history.Confirmed.Extended;
import dev.syncguard.lock.testkit.history.Confirmed.Granted;
import dev.syncguard.lock.testkit.history.Confirmed.Released;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges what a store confirmed to many callers.
 *
 * <p>Fences put the leases of a key in order. Between two neighbours there must be a reason why the earlier one was over
 * when the later one began: it had been released, or the store's own clock was past its end and the tolerance. Whatever
 * cannot be explained that way is a violation. Two clocks are used, and never mixed: the store's, in which expiries are
 * told, and this process's, in which calls begin and end.
 */
public final class HistoryChecker {

  private final List<String> violations = new ArrayList<>();

  private record Lease(Granted grant, List<Extended> extensions, List<Released> releases) {
    Instant lastEnd() {
      return extensions.isEmpty()
          ? grant.expiresAt()
          : extensions.get(extensions.size() - 1).expiresAt();
    }
  }

  private HistoryChecker() {}

  /** Returns one sentence for each promise that the history shows broken, so none for a good one. */
  public static List<String> violations(Collection<? extends Confirmed> history) {
    HistoryChecker checker = new HistoryChecker();
    Map<LockKey, List<Lease>> byKey = new TreeMap<>();
    for (Lease lease : checker.leases(history).values()) {
      checker.checkAlone(lease);
      byKey.computeIfAbsent(lease.grant.key(), key -> new ArrayList<>()).add(lease);
    }
    byKey.values().forEach(checker::checkKey);
    return checker.violations;
  }

  private Map<LockId, Lease> leases(Collection<? extends Confirmed> history) {
    Map<LockId, Lease> leases = new LinkedHashMap<>();
    for (Confirmed event : history) {
      if (event instanceof Granted grant) {
        Lease known =
            leases.putIfAbsent(grant.id(), new Lease(grant, new ArrayList<>(), new ArrayList<>()));
        if (known != null && !known.grant.fence().equals(grant.fence())) {
          blame(grant, "one attempt was granted twice");
        }
      }
    }
    for (Confirmed event : history) {
      Lease lease = leases.get(event.id());
      if (lease == null) {
        violations.add(event.getClass().getSimpleName() + " confirmed for a lease never granted");
      } else if (event instanceof Extended extended) {
        lease.extensions.add(extended);
      } else if (event instanceof Released released) {
        lease.releases.add(released);
      }
    }
    leases.values().forEach(lease -> lease.extensions.sort(Comparator.comparing(Extended::at)));
    return leases;
  }

  private void checkAlone(Lease lease) {
    if (lease.releases.size() > 1) {
      blame(lease.grant, "released " + lease.releases.size() + " times");
    }
    Instant end = lease.grant.expiresAt();
    for (Extended extension : lease.extensions) {
      if (isOver(end, extension.at())) {
        blame(lease.grant, "brought back after its end");
      }
      if (lease.releases.stream().anyMatch(release -> release.span().isBefore(extension.span()))) {
        blame(lease.grant, "extended after its release");
      }
      end = extension.expiresAt();
    }
  }

  private void checkKey(List<Lease> leases) {
    leases.sort(Comparator.comparing(lease -> lease.grant.fence()));
    Lease before = null;
    Granted lastSent = leases.get(0).grant;
    for (Lease lease : leases) {
      if (before != null) {
        checkNeighbours(before, lease);
      }
      if (lease.grant.span().isBefore(lastSent.span())) {
        blame(lease.grant, "its fence is larger than one that was asked for later");
      }
      if (lease.grant.span().sentNanos() - lastSent.span().sentNanos() > 0) {
        lastSent = lease.grant;
      }
      before = lease;
    }
  }

  private void checkNeighbours(Lease earlier, Lease later) {
    if (earlier.grant.fence().equals(later.grant.fence())) {
      blame(later.grant, "its fence was handed out twice");
    }
    if (later.grant.at().isBefore(earlier.grant.at())) {
      blame(later.grant, "granted before the holder of a smaller fence");
    }
    boolean released = earlier.releases.stream()
        .anyMatch(release -> release.span().sentNanos() - later.grant.span().answeredNanos() <= 0);
    if (!released && !isOver(earlier.lastEnd(), later.grant.at())) {
      blame(later.grant, "granted while the holder before it was live");
    }
    if (!released && !earlier.releases.isEmpty()) {
      blame(earlier.grant, "released after the next holder had the key");
    }
    if (earlier.extensions.stream().anyMatch(e -> e.at().isAfter(later.grant.at()))) {
      blame(earlier.grant, "extended after the next holder had the key");
    }
  }

  private static boolean isOver(Instant end, Instant now) {
    return !Liveness.isLive(end.toEpochMilli(), now.toEpochMilli());
  }

  private void blame(Granted grant, String what) {
    violations.add("key " + grant.key().hash() + " fence " + grant.fence() + ": " + what);
  }
}
