package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import java.util.List;
import java.util.Optional;

/** A store that has not been created yet, for those who only look: it has no locks, and nobody can take one. */
final class MissingStore implements LockBackend {

  private final LockBackend empty = new MemoryLockBackend();

  @Override
  public Capabilities capabilities() {
    return empty.capabilities();
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    throw new UnsupportedOperationException("Whoever takes locks creates the store first");
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return empty.release(id, cancellation);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return empty.extend(id, ttl, cancellation);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return false;
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return Optional.empty();
  }

  @Override
  public Optional<LockListing> listing() {
    return empty.listing();
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return Optional.of(
        cancellation -> List.of(
            new StoreCheck.Finding(
                StoreCheck.Severity.WARNING,
                "exists",
                "There is no store yet; the first lock creates it. If there should be one, check --store")));
  }

  @Override
  public void close() {
    empty.close();
  }
}
