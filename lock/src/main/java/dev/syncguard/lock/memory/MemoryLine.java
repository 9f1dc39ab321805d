package dev.syncguard.lock.memory;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * First come, first served: a key that was released goes to whoever has stood in line for it longest.
 *
 * <p>Somebody who has not tried again for too long is taken for dead and loses their place.
 *
 * <p>All state is guarded by the backend's monitor.
 */
final class MemoryLine implements WaitingLine {

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final long TAKEN_FOR_DEAD_NANOS = PATIENCE.multipliedBy(2).toNanos();

  private final MemoryLockBackend backend;
  private final Time time;
  private final Map<LockKey, Deque<MemoryPlace>> places = new HashMap<>();

  MemoryLine(MemoryLockBackend backend, Time time) {
    this.backend = backend;
    this.time = time;
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new MemoryPlace(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new MemoryPlace(key, id, Optional.of(note), wakeUp);
  }

  int size(LockKey key) {
    Optional<MemoryPlace> unused = first(key);
    Deque<MemoryPlace> queue = places.get(key);
    return queue == null ? 0 : queue.size();
  }

  boolean isReservedForAnother(LockKey key, LockId id) {
    return first(key).map(first -> !first.id.equals(id)).orElse(false);
  }

  void released(LockKey key) {
    first(key).ifPresent(first -> first.wakeUp.run());
  }

  private Optional<MemoryPlace> first(LockKey key) {
    Deque<MemoryPlace> queue = places.get(key);
    while (queue != null && !queue.isEmpty() && queue.getFirst().isTakenForDead()) {
      queue.getFirst().leave();
    }
    return queue == null ? Optional.empty() : Optional.ofNullable(queue.peekFirst());
  }

  private final class MemoryPlace implements Place {
    private final LockKey key;
    private final LockId id;
    private final Optional<LockNote> note;
    private final Runnable wakeUp;
    private boolean standing;
    private long seenAtNanos;

    MemoryPlace(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.note = note;
      this.wakeUp = wakeUp;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      synchronized (backend) {
        seenAtNanos = time.nanos();
        AcquireResult result = backend.acquire(key, id, ttl, note, cancellation);
        if (result instanceof AcquireResult.Acquired) {
          leave();
        } else if (!standing) {
          places.computeIfAbsent(key, k -> new ArrayDeque<>()).addLast(this);
          standing = true;
        }
        return result;
      }
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      synchronized (backend) {
        AcquireResult result = backend.takeOver(key, from, id, ttl, note);
        if (result instanceof AcquireResult.Acquired) {
          leave();
        }
        return result;
      }
    }

    @Override
    public Duration patience() {
      return PATIENCE;
    }

    @Override
    public void close() {
      synchronized (backend) {
        boolean stood = standing;
        leave();
        // A wake-up that came for us must not be lost on those behind us.
        if (stood) {
          released(key);
        }
      }
    }

    private boolean isTakenForDead() {
      return time.nanos() - seenAtNanos > TAKEN_FOR_DEAD_NANOS;
    }

    private void leave() {
      if (standing) {
        standing = false;
        places.computeIfPresent(key, (k, queue) -> {
          queue.remove(this);
          return queue.isEmpty() ? null : queue;
        });
      }
    }
  }
}
