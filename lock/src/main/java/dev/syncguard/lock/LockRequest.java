package dev.syncguard.lock;

import dev.syncguard.lock.waiting.RequestOptions;
import java.util.Optional;

/** A request for one key: {@code locks.lock("report").ttl(ofSeconds(20)).acquire()}. Immutable. */
public final class LockRequest extends Request<LockRequest, Lease> {

  private final LockKey key;

  LockRequest(Locks locks, LockKey key, RequestOptions options) {
    super(locks, options);
    this.key = key;
  }

  @Override
  LockRequest with(RequestOptions changed) {
    return new LockRequest(locks, key, changed);
  }

  @Override
  void close(Lease held) {
    held.close();
  }

  /** Tries once, without waiting, and returns the lease unless somebody else holds the key. */
  @Override
  public Optional<Lease> tryAcquire() {
    return locks.tryAcquire(key, options);
  }

  /** Waits for the key and returns the lease, or throws {@code AcquisitionTimeout}. */
  @Override
  public Lease acquire() {
    return locks.acquire(key, options);
  }
}
