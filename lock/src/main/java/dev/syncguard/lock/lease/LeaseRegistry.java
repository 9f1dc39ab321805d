package dev.syncguard.lock.lease;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that are held, so that they can be given back together. Thread-safe. */
public final class LeaseRegistry {

  private static final int SMALLEST_SWEEP = 1_000;

  private final Map<LockId, Lease> held = new ConcurrentHashMap<>();
  private volatile int sweepAt = SMALLEST_SWEEP;

  public void add(Lease lease) {
    held.put(lease.id(), lease);
    // Nobody tells us of leases that are neither released nor watched but just forgotten.
    if (held.size() > sweepAt) {
      held.values().removeIf(any -> !any.isHeld());
      sweepAt = Math.max(SMALLEST_SWEEP, 2 * held.size());
    }
  }

  public void remove(LockId id) {
    held.remove(id);
  }

  public Optional<Lease> find(LockId id) {
    return Optional.ofNullable(held.get(id));
  }

  public List<Lease> all() {
    return List.copyOf(held.values());
  }
}
