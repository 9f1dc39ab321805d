package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.ForwardingBackend;
import java.util.concurrent.atomic.AtomicReference;

/** A store whose next operation goes wrong when a test says so. */
final class TroubledStore extends ForwardingBackend {

  private final AtomicReference<Runnable> trouble = new AtomicReference<>(() -> {});

  TroubledStore(LockBackend target) {
    super(target);
  }

  /** Lets this happen once, before the next acquisition or extension. */
  void next(Runnable what) {
    trouble.set(what);
  }

  void failNext() {
    next(() -> {
      throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "planted");
    });
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    trouble.getAndSet(() -> {}).run();
    return super.acquire(key, id, ttl, cancellation);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    trouble.getAndSet(() -> {}).run();
    return super.extend(id, ttl, cancellation);
  }
}
