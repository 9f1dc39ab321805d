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

/** A store that notes what it was asked and what it answered. */
final class TracedStore implements LockBackend {

  private final LockBackend store;
  private final StoreTrace.OfKeys traces;

  TracedStore(LockBackend store, StoreTrace.OfKeys traces) {
    this.store = store;
    this.traces = traces;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    AcquireResult answer = store.acquire(key, id, ttl, cancellation);
    traces.of(key, id).acquire("acquire", id, ttl, answer);
    return answer;
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    ReleaseResult answer = store.release(id, cancellation);
    traces.of(id).release(id, answer instanceof ReleaseResult.Released);
    return answer;
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    ExtendResult answer = store.extend(id, ttl, cancellation);
    traces.of(id).extend(id, ttl, answer instanceof ExtendResult.Extended);
    return answer;
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
        .map(line -> (key, id, wakeUp) -> new TracedPlace(line.join(key, id, wakeUp), key, id));
  }

  private final class TracedPlace implements WaitingLine.Place {
    private final WaitingLine.Place place;
    private final LockKey key;
    private final LockId id;

    TracedPlace(WaitingLine.Place place, LockKey key, LockId id) {
      this.place = place;
      this.key = key;
      this.id = id;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      AcquireResult answer = place.attempt(ttl, cancellation);
      traces.of(key, id).acquire("attempt", id, ttl, answer);
      return answer;
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      AcquireResult answer = place.takeOver(from, ttl);
      traces.of(key, id).takeOver(from, id, ttl, answer);
      return answer;
    }

    @Override
    public Duration patience() {
      return place.patience();
    }

    @Override
    public void close() {
      place.close();
      traces.of(key, id).leave(id);
    }
  }

  @Override
  public void close() {}
}
