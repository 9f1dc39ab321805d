package dev.syncguard.torture;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
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
import java.util.function.Supplier;

/** A backend between a worker that is a thread and its store, which does to it what cannot be done to a thread. Thread-safe. */
final class HurtBackend implements LockBackend {

  private final LockBackend store;
  private boolean dead;
  private long silentUntil = System.nanoTime();
  private long repliesLostUntil = System.nanoTime();
  private long requestsLostUntil = System.nanoTime();

  HurtBackend(LockBackend store) {
    this.store = store;
  }

  /** Nothing reaches the store any more. */
  synchronized void die() {
    dead = true;
    notifyAll();
  }

  /** Nothing gets on for a while, as if the process were stopped. */
  synchronized void pause(Duration length) {
    silentUntil = System.nanoTime() + length.toNanos();
  }

  synchronized void loseReplies(Duration length) {
    repliesLostUntil = System.nanoTime() + length.toNanos();
  }

  synchronized void loseRequests(Duration length) {
    requestsLostUntil = System.nanoTime() + length.toNanos();
  }

  private <T> T pass(Supplier<T> call) {
    enter();
    T answer = call.get();
    leave();
    return answer;
  }

  private synchronized void enter() {
    awaitSound();
    if (dead || System.nanoTime() < requestsLostUntil) {
      throw lost();
    }
  }

  private synchronized void leave() {
    awaitSound();
    if (dead || System.nanoTime() < repliesLostUntil) {
      throw lost();
    }
  }

  private void awaitSound() {
    try {
      for (long left = silentUntil - System.nanoTime();
          left > 0 && !dead;
          left = silentUntil - System.nanoTime()) {
        wait(1 + left / 1_000_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static LockException lost() {
    return new LockException(
        LockException.Code.SERVICE_UNAVAILABLE, "The connection was cut; try again");
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return pass(() -> store.acquire(key, id, ttl, cancellation));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return pass(() -> store.release(id, cancellation));
  }

  @Override
  public ReleaseResult release(LockKey key, LockId id, Cancellation cancellation) {
    return pass(() -> store.release(key, id, cancellation));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return pass(() -> store.extend(id, ttl, cancellation));
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return pass(() -> store.isLocked(key, cancellation));
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return pass(() -> store.lookupRaw(query, cancellation));
  }

  @Override
  public Capabilities capabilities() {
    return store.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return store
        .waitingLine()
        .map(line -> (key, id, wakeUp) -> new HurtPlace(line.join(key, id, wakeUp)));
  }

  @Override
  public void close() {
    store.close();
  }

  private final class HurtPlace implements WaitingLine.Place {
    private final WaitingLine.Place place;

    HurtPlace(WaitingLine.Place place) {
      this.place = place;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      return pass(() -> place.attempt(ttl, cancellation));
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return pass(() -> place.takeOver(from, ttl));
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
      synchronized (HurtBackend.this) {
        if (dead) {
          return;
        }
      }
      place.close();
    }
  }
}
