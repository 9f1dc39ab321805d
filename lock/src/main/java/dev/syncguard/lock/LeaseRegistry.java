package dev.syncguard.lock;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that are held, so that they can be given back together. Thread-safe. */
final class LeaseRegistry {

  private static final int SMALLEST_SWEEP = 1_000;

  private final Map<LockId, Lease> held = new ConcurrentHashMap<>();
  private volatile int sweepAt = SMALLEST_SWEEP;

  void add(Lease lease) {
    held.put(lease.id(), lease);
    // Nobody tells us of leases that are neither released nor watched but just forgotten.
    if (held.size() > sweepAt) {
      held.values().removeIf(any -> !any.isHeld());
      sweepAt = Math.max(SMALLEST_SWEEP, 2 * held.size());
    }
  }

  void remove(LockId id) {
    held.remove(id);
  }

  Optional<Lease> find(LockId id) {
    return Optional.ofNullable(held.get(id));
  }

  List<Lease> all() {
    return List.copyOf(held.values());
  }
}
