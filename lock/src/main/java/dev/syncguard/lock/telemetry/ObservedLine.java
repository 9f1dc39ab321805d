package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.telemetry.EventSender.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A waiting line that tells what its places do; taking over counts as a release and an acquisition. */
final class ObservedLine implements WaitingLine {

  private final WaitingLine line;
  private final EventSender events;

  ObservedLine(WaitingLine line, EventSender events) {
    this.line = line;
    this.events = events;
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new ObservedPlace(line.join(key, id, wakeUp), key, id);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new ObservedPlace(line.join(key, id, note, wakeUp), key, id);
  }

  private final class ObservedPlace implements Place {
    private final Place place;
    private final Optional<LockKey> key;
    private final Optional<LockId> id;

    ObservedPlace(Place place, LockKey key, LockId id) {
      this.place = place;
      this.key = Optional.of(key);
      this.id = Optional.of(id);
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      return events.observe(
          LockEvent.Type.ACQUIRE,
          key,
          id,
          () -> place.attempt(ttl, cancellation),
          ObservedBackend::verdict);
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return takenOver(from, () -> place.takeOver(from, ttl));
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
      return takenOver(from, () -> place.takeOver(from, ttl, cancellation));
    }

    private AcquireResult takenOver(LockId from, Supplier<AcquireResult> takeOver) {
      return events.observe(
          LockEvent.Type.RELEASE,
          Optional.empty(),
          Optional.of(from),
          () -> events.observe(LockEvent.Type.ACQUIRE, key, id, takeOver, ObservedBackend::verdict),
          result -> result instanceof AcquireResult.Acquired ? Verdict.OK : Verdict.NO);
    }

    @Override
    public boolean mayTakeOver() {
      return place.mayTakeOver();
    }

    @Override
    public Duration patience() {
      return place.patience();
    }

    @Override
    public void close() {
      place.close();
    }

    @Override
    public void leave(Cancellation cancellation) {
      place.leave(cancellation);
    }
  }
}
