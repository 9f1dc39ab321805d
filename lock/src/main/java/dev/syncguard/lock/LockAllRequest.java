package dev.syncguard.lock;

import dev.syncguard.lock.runtime.Deadline;
import dev.syncguard.lock.waiting.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request for several keys at once. Either all of them are ours afterwards, or none.
 *
 * <p>Immutable. The ttl is that of each lease; the time to wait counts for all keys together.
 */
public final class LockAllRequest extends Request<LockAllRequest, LeaseGroup> {

  private final List<LockKey> keysInOrder;

  private LockAllRequest(Locks locks, List<LockKey> keysInOrder, RequestOptions options) {
    super(locks, options);
    this.keysInOrder = keysInOrder;
  }

  static LockAllRequest of(Locks locks, Collection<String> keys, RequestOptions options) {
    List<LockKey> inOrder = keys.stream().map(LockKey::of).distinct().sorted().toList();
    if (inOrder.isEmpty()) {
      throw LockException.invalidArgument("At least one key is needed");
    }
    return new LockAllRequest(locks, inOrder, options);
  }

  @Override
  LockAllRequest with(RequestOptions changed) {
    return new LockAllRequest(locks, keysInOrder, changed);
  }

  @Override
  void close(LeaseGroup held) {
    held.close();
  }

  /** Tries each key once, without waiting, and returns the leases unless somebody else holds one of the keys. */
  @Override
  public Optional<LeaseGroup> tryAcquire() {
    return collect(key -> locks.tryAcquire(key, options));
  }

  /** Waits for the keys and returns the leases, or throws {@code AcquisitionTimeout}. */
  @Override
  public LeaseGroup acquire() {
    Deadline deadline = new Deadline(options.waitLimit(), locks.time());
    return collect(key -> Optional.of(locks.acquire(key, options.withWaitLimit(deadline.left()))))
        .orElseThrow();
  }

  private Optional<LeaseGroup> collect(Function<LockKey, Optional<Lease>> acquire) {
    List<Lease> leases = new ArrayList<>(keysInOrder.size());
    boolean complete = false;
    try {
      for (LockKey key : keysInOrder) {
        Optional<Lease> lease = acquire.apply(key);
        if (lease.isEmpty()) {
          return Optional.empty();
        }
        leases.add(lease.get());
      }
      // Waiting for the last key may have used up the time of the first.
      LeaseGroup group = new LeaseGroup(leases);
      group.ensureHeld(Duration.ZERO);
      complete = true;
      return Optional.of(group);
    } finally {
      if (!complete) {
        new LeaseGroup(leases).close();
      }
    }
  }
}
