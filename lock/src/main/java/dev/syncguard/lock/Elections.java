package dev.syncguard.lock;

import dev.syncguard.lock.runtime.Deadline;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The elections that somebody stands in by way of the same {@link Locks}. Thread-safe. */
final class Elections {

  private final Set<LeaderElection> standing = ConcurrentHashMap.newKeySet();

  void add(LeaderElection election) {
    standing.add(election);
  }

  void remove(LeaderElection election) {
    standing.remove(election);
  }

  /** Tells all leaders to stop, and waits for them until then, or as long as the slowest of them may take. */
  void close(Optional<Deadline> until, Time time) {
    List<LeaderElection> closing = List.copyOf(standing);
    closing.forEach(LeaderElection::startClosing);
    Deadline deadline = until.orElseGet(() -> new Deadline(longestLimit(closing), time));
    closing.forEach(election -> election.awaitEnd(deadline));
  }

  private static Duration longestLimit(List<LeaderElection> elections) {
    return elections.stream()
        .map(LeaderElection::closeLimit)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Returns whether the lease is that of a leader who may not have stopped yet: it is not for others to end. */
  boolean lead(Lease lease) {
    return standing.stream().anyMatch(election -> election.leadsWith(lease));
  }
}
