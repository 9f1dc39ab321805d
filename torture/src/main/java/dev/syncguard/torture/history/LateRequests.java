package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Hurt;
import java.util.Collection;
import java.util.List;

/**
 * Requests that the network delivers after their sender has sent them once more.
 *
 * <p>A late request for a lock takes it again after its release, with the id that had ended, until the library finds and ends it. That
 * such an id works proves nothing against the store.
 */
final class LateRequests {

  private final List<Hurt> delays;
  private final Bounds bounds;

  private LateRequests(List<Hurt> delays, Bounds bounds) {
    this.delays = delays;
    this.bounds = bounds;
  }

  static LateRequests in(Collection<? extends Event> history, Bounds bounds) {
    List<Hurt> delays = history.stream()
        .filter(event -> event instanceof Hurt hurt && hurt.fault().equals(Hurt.LATE))
        .map(Hurt.class::cast)
        .toList();
    return new LateRequests(delays, bounds);
  }

  /** Returns whether a request of this worker may have arrived late between these times. */
  boolean mayConcern(int worker, long from, long until) {
    return delays.stream()
        .anyMatch(hurt -> hurt.worker() == worker
            && hurt.at() <= until
            // The request that is delayed is the next one, which may come a while after the fault.
            && bounds.endAfter(hurt.until()) >= from);
  }
}
