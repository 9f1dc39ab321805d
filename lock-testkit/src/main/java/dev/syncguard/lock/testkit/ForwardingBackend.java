package dev.syncguard.lock.testkit;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.Optional;

/** A backend that leaves everything to another one; extend it to change a little. Shareable if the other one is. */
public abstract class ForwardingBackend implements LockBackend {

  private final LockBackend target;

  /** Creates a backend that passes every call on to this one. */
  protected ForwardingBackend(LockBackend target) {
    this.target = target;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return target.acquire(key, id, ttl, cancellation);
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return target.acquire(key, id, ttl, note, cancellation);
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return target.release(id, cancellation);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return target.extend(id, ttl, cancellation);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return target.isLocked(key, cancellation);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return target.lookupRaw(query, cancellation);
  }

  @Override
  public Optional<LockInfo> lookup(LockQuery query, Cancellation cancellation) {
    return target.lookup(query, cancellation);
  }

  @Override
  public Capabilities capabilities() {
    return target.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return target.waitingLine();
  }

  @Override
  public Optional<LockListing> listing() {
    return target.listing();
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return target.storeCheck();
  }

  @Override
  public void close() {
    target.close();
  }
}
