package dev.syncguard.lock.simulation;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Optional;

/** A store that is right until a test overrides one of the hooks. */
class PlantedFault implements LockBackend {

  private final LockBackend store;

  PlantedFault(LockBackend store) {
    this.store = store;
  }

  /** The ttl with which the store really keeps a lease. */
  Ttl stored(Ttl ttl) {
    return ttl;
  }

  /** What the store answers when it grants or refuses. */
  AcquireResult answer(AcquireResult right) {
    return right;
  }

  /** The lease that the store looks at when it hands over. */
  LockId owner(LockKey key, LockId from) {
    return from;
  }

  final Optional<LockId> holder(LockKey key) {
    return store
        .lookupRaw(new LockQuery.ByKey(key), Cancellation.none())
        .map(LockInfoDebug::lockId);
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return answer(store.acquire(key, id, stored(ttl), cancellation));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return store.release(id, cancellation);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return store.extend(id, stored(ttl), cancellation);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return store.isLocked(key, cancellation);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return store.lookupRaw(query, cancellation);
  }

  @Override
  public Capabilities capabilities() {
    return store.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return store
        .waitingLine()
        .map(line -> (key, id, wakeUp) -> faulty(key, line.join(key, id, wakeUp)));
  }

  private WaitingLine.Place faulty(LockKey key, WaitingLine.Place place) {
    return new WaitingLine.Place() {
      @Override
      public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
        return answer(place.attempt(stored(ttl), cancellation));
      }

      @Override
      public AcquireResult takeOver(LockId from, Ttl ttl) {
        return answer(place.takeOver(owner(key, from), stored(ttl)));
      }

      @Override
      public Duration patience() {
        return place.patience();
      }

      @Override
      public void close() {
        place.close();
      }
    };
  }

  @Override
  public void close() {}
}
