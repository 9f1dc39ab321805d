package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.testkit.ForwardingBackend;
import java.util.Optional;

/** A plain backend that reaches its store over a network. It polls. */
final class RemoteBackend extends ForwardingBackend {

  private final PlainBackend backend;
  private final PlainNetwork network;

  RemoteBackend(PlainBackend backend, PlainNetwork network) {
    super(backend);
    this.backend = backend;
    this.network = network;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    try {
      return network.send(
          () -> super.acquire(key, id, ttl, cancellation), backend.heard(cancellation));
    } catch (LockException e) {
      return backend.acquireFailed(e);
    }
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    try {
      return network.send(() -> super.release(id, cancellation), backend.heard(cancellation));
    } catch (LockException e) {
      return backend.releaseFailed(e);
    }
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    try {
      return network.send(() -> super.extend(id, ttl, cancellation), backend.heard(cancellation));
    } catch (LockException e) {
      return backend.extendFailed(e);
    }
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return Optional.empty();
  }
}
