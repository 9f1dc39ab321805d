package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Optional;

/** A fair line over a plain store. */
final class PlainLine implements WaitingLine {

  static final Duration PATIENCE = Duration.ofSeconds(1);

  private final PlainBackend backend;

  PlainLine(PlainBackend backend) {
    this.backend = backend;
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new PlainPlace(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new PlainPlace(key, id, Optional.of(note), wakeUp);
  }

  final class PlainPlace implements Place {
    final LockKey key;
    final LockId id;
    final Optional<LockNote> note;
    final Runnable wakeUp;
    long lastSeenMs;

    PlainPlace(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.note = note;
      this.wakeUp = wakeUp;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      synchronized (backend.store) {
        backend.store.readClock();
        lastSeenMs = backend.store.now();
        return seated(backend.acquire(key, id, ttl, cancellation));
      }
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      synchronized (backend.store) {
        AcquireResult result = backend.takeOver(key, from, id, ttl);
        return result instanceof AcquireResult.Acquired ? seated(result) : result;
      }
    }

    private AcquireResult seated(AcquireResult result) {
      if (result instanceof AcquireResult.Acquired) {
        backend.store.waiting(key).remove(this);
        note.ifPresent(words -> backend.keep(id, words));
      } else if (!backend.store.waiting(key).contains(this)) {
        backend.store.waiting(key).addLast(this);
      }
      return result;
    }

    @Override
    public Duration patience() {
      return PATIENCE;
    }

    @Override
    public void close() {
      synchronized (backend.store) {
        backend.leave(this);
      }
    }
  }
}
