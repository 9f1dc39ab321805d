package dev.syncguard.lock.waiting;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.lease.LeaseLifecycle;
import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.runtime.TimeLimit;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of this process wait for keys.
 *
 * <p>There is one queue per key, first come, first served, and only its first waiter talks to the store. When a lease of
 * this process ends while somebody queues here, the thread that releases it hands the key over in one round trip. After a
 * number of hand-offs in a row the key is released for everybody, so that other processes get their turn.
 *
 * <p>At most one request is under way for a waiter: an attempt of its own, or a hand-off. A waiter may leave meanwhile;
 * whoever made the request then tidies up. While the store fails, attempts are made and places given up in the background,
 * so that a waiter leaves in time however long a request hangs.
 *
 * <p>The guard is held for bookkeeping only, never during I/O.
 */
public final class WaitingRoom {

  /** What the waiter's thread does next. */
  private enum Move {
    TAKE_GRANT,
    FAIL,
    ATTEMPT,
    WAIT
  }

  private final LockBackend backend;
  private final Optional<WaitingLine> line;
  private final LeaseServices services;
  private final Time time;
  private final RandomGenerator random;
  private final int maxHandOffs;
  private final Overdue overdue;
  private final Outage outage = new Outage();
  private final Object guard = new Object();
  private final WaitingQueues queues = new WaitingQueues();
  private boolean closed;

  public WaitingRoom(
      Optional<WaitingLine> line, LeaseServices services, RandomGenerator random, int maxHandOffs) {
    this.backend = services.backend();
    this.line = line;
    this.services = services;
    this.time = services.time();
    this.random = random;
    this.maxHandOffs = maxHandOffs;
    this.overdue = new Overdue(services.background());
  }

  public LeaseLifecycle newLease(Waiter waiter) {
    return new LeaseLifecycle(waiter.key, LockId.random(random), waiter.options.ttl(), services);
  }

  public WaitingLine.Place join(Waiter waiter, LockId id) {
    if (line.isEmpty()) {
      return new PollingPlace(backend, waiter.key, id, waiter.options, random);
    }
    return waiter
        .options
        .note()
        .map(note -> line.get().join(waiter.key, id, note, waiter::wake))
        .orElseGet(() -> line.get().join(waiter.key, id, waiter::wake));
  }

  /** Waits until the key is ours, or throws: time is up, the caller gave up, or waiting cannot help. */
  public LeaseLifecycle await(LockKey key, RequestOptions options) {
    Waiter waiter = new Waiter(key, options, time, this);
    boolean served = false;
    try (Cancellation.Registration listening = options.cancellation().onCancel(waiter::giveUp)) {
      giveUpIfAsked(waiter);
      enterLast(waiter);
      waitFor(waiter);
      served = true;
    } catch (LockException e) {
      throw e.about(key).about(waiter.lease().id());
    } finally {
      if (served) {
        Interruption.deferring(waiter.place()::close);
      } else {
        leave(waiter);
      }
    }
    return waiter.lease();
  }

  private void waitFor(Waiter waiter) {
    while (true) {
      giveUpIfAsked(waiter);
      switch (nextMove(waiter)) {
        case TAKE_GRANT -> {
          if (waiter.lease().accept(waiter.options.onReleaseError())) {
            return;
          }
          waiter.startOver(this);
          enterFirst(waiter);
        }
        case FAIL -> throw failureOf(waiter);
        case ATTEMPT -> attempt(waiter);
        case WAIT -> pause(waiter);
      }
    }
  }

  private void giveUpIfAsked(Waiter waiter) {
    Interruption.throwIfInterrupted();
    waiter.options.cancellation().throwIfCancelled();
    synchronized (guard) {
      if (closed) {
        throw LockErrors.closedMeanwhile();
      }
    }
  }

  private Move nextMove(Waiter waiter) {
    synchronized (guard) {
      if (waiter.granted) {
        waiter.granted = false;
        return Move.TAKE_GRANT;
      }
      if (waiter.failure != null) {
        return Move.FAIL;
      }
      if (waiter.underWay || !mayAttempt(waiter) || !waiter.isDue(queues.isTroubled(waiter))) {
        return Move.WAIT;
      }
      waiter.underWay = true;
      return Move.ATTEMPT;
    }
  }

  /** Without a line the first one's pauses may be long, so nobody gives up on a key without having looked. */
  private boolean mayAttempt(Waiter waiter) {
    return queues.isFirst(waiter) || (line.isEmpty() && waiter.isOutOfTime());
  }

  private void attempt(Waiter waiter) {
    if (!isTroubledNow(waiter) || !inBackground(() -> attemptNow(waiter))) {
      attemptNow(waiter);
    }
  }

  /** Keeps the caller from waiting for a store that fails; returns false if the caller has to, whatever it takes. */
  private boolean inBackground(Runnable work) {
    return BackgroundWork.isTaken(services.background(), work);
  }

  private void attemptNow(Waiter waiter) {
    waiter.asking();
    overdue.begin(waiter);
    boolean granted = false;
    Throwable failure = null;
    try {
      granted =
          waiter.lease().request(() -> waiter.place().attempt(waiter.options.ttl(), waiter.stop));
      if (!granted) {
        waiter.wasRefused();
      }
    } catch (RuntimeException | Error e) {
      failure = e;
      waiter.hasFailed();
    } finally {
      overdue.end(waiter);
    }
    settle(waiter, granted, failure);
    waiter.nudge();
  }

  /** Notes how a request for a waiter ended, and tidies up after one that has left meanwhile. */
  private void settle(Waiter waiter, boolean granted, @Nullable Throwable failure) {
    boolean hasLeft;
    synchronized (guard) {
      waiter.underWay = false;
      hasLeft = waiter.left;
      WaitingQueue queue = queues.find(waiter.key);
      if (failure != null) {
        waiter.backOff(outage.isScout(waiter), random);
        WaitingQueue.noteFailure(waiter, queue, failure);
      } else if (queue != null) {
        queue.answered();
        outage.isOver(queues);
      }
      if (granted && !hasLeft) {
        waiter.granted = true;
        Waiter next = queues.removeAndGetFirst(waiter);
        if (next != null) {
          next.restUntil(time.nanos() + Waiter.LOOK_AROUND.toNanos());
        }
      }
    }
    if (hasLeft) {
      tidyUp(waiter);
    }
  }

  private static RuntimeException failureOf(Waiter waiter) {
    if (waiter.failure instanceof Error error) {
      throw error;
    }
    return LockErrors.of(Objects.requireNonNull(waiter.failure));
  }

  private void pause(Waiter waiter) {
    boolean mayAsk;
    synchronized (guard) {
      if (isOver(waiter)) {
        throw WaitingQueue.endOfWait(waiter, queues.find(waiter.key));
      }
      mayAsk = !waiter.underWay && mayAttempt(waiter);
    }
    try {
      waiter.pause(mayAsk);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Interruption.aborted();
    }
  }

  /** Returns whether there is nothing left to wait for. A store that answers others gets a moment for our request. */
  private boolean isOver(Waiter waiter) {
    if (waiter.granted || waiter.failure != null) {
      // Settled since we looked: there is something to take.
      return false;
    }
    boolean outOfRetries =
        waiter.place() instanceof PollingPlace polling && polling.isOutOfRetries();
    if (!waiter.isOutOfTime()) {
      return outOfRetries && !waiter.underWay;
    }
    return !waiter.underWay || queues.isTroubled(waiter) || waiter.isOverdue();
  }

  /**
   * Ends a lease and returns whether it was still live. If somebody in this process waits for its key, the key goes to
   * them in the same round trip.
   */
  public boolean release(LeaseLifecycle lease, Cancellation cancellation) {
    Waiter heir = offerToFirst(lease.key());
    if (heir == null) {
      try {
        return releaseAtStore(lease, cancellation);
      } finally {
        wakeFirst(lease.key());
      }
    }
    boolean handedOff = false;
    try {
      handedOff = heir.lease()
          .takeOver(() -> heir.place().takeOver(lease.id(), heir.options.ttl(), cancellation));
      return handedOff;
    } catch (LockException e) {
      // It may have no room for another lease, and still end this one. A silent store is not asked
      // twice.
      if (e.code() != LockException.Code.SERVICE_UNAVAILABLE
          || !releaseAtStore(lease, cancellation)) {
        throw e;
      }
      return true;
    } finally {
      settle(heir, handedOff, null);
      heir.wake();
    }
  }

  private boolean releaseAtStore(LeaseLifecycle lease, Cancellation cancellation) {
    return backend.release(lease.key(), lease.id(), cancellation) instanceof ReleaseResult.Released;
  }

  private @Nullable Waiter offerToFirst(LockKey key) {
    synchronized (guard) {
      WaitingQueue queue = queues.find(key);
      if (queue == null || line.isEmpty()) {
        return null;
      }
      Waiter first = queue.waiters.getFirst();
      if (first.underWay || !first.place().mayTakeOver() || queue.handOffsInARow == maxHandOffs) {
        queue.handOffsInARow = 0;
        return null;
      }
      queue.handOffsInARow++;
      first.underWay = true;
      first.requested();
      return first;
    }
  }

  private void wakeFirst(LockKey key) {
    synchronized (guard) {
      WaitingQueue queue = queues.find(key);
      if (queue != null) {
        queue.waiters.getFirst().wake();
      }
    }
  }

  private void enterLast(Waiter waiter) {
    synchronized (guard) {
      queues.addLast(waiter);
    }
  }

  private void enterFirst(Waiter waiter) {
    synchronized (guard) {
      queues.addFirst(waiter);
    }
  }

  /** Leaves without a trace. If a request is under way, whoever made it tidies up. */
  private void leave(Waiter waiter) {
    waiter.stop.cancel();
    boolean underWay;
    synchronized (guard) {
      waiter.left = true;
      underWay = waiter.underWay;
      Waiter next = queues.removeAndGetFirst(waiter);
      if (next != null) {
        next.wake();
      }
    }
    if (underWay) {
      return;
    }
    if (!waiter.isUnanswered() || !inBackground(() -> tidyUp(waiter))) {
      tidyUp(waiter);
    }
  }

  /** Not for long: a store that has fallen silent keeps nobody here. */
  private void tidyUp(Waiter waiter) {
    waiter.lease().abandon(waiter.options.onReleaseError());
    Interruption.deferring(() -> TimeLimit.on(
        overdue -> {
          waiter.place().leave(overdue);
          return true;
        },
        Waiter.GRACE,
        services.background()));
  }

  /** Ends all waits, and lets nobody wait any more. */
  public void close() {
    List<Waiter> waiting;
    synchronized (guard) {
      closed = true;
      waiting = queues.waiters().toList();
    }
    waiting.forEach(Waiter::giveUp);
  }

  /** Returns whether nobody waits and nothing is remembered about anybody who did. */
  public boolean isEmpty() {
    synchronized (guard) {
      return queues.isEmpty();
    }
  }

  /** Returns how many wait, not counting those for whom a request is under way. */
  public int size() {
    synchronized (guard) {
      return (int) queues.waiters().filter(waiter -> !waiter.underWay).count();
    }
  }

  /** Returns how many wait for which key. */
  public Map<LockHash, Integer> waiters() {
    synchronized (guard) {
      return queues.sizes();
    }
  }

  private boolean isTroubledNow(Waiter waiter) {
    synchronized (guard) {
      return queues.isTroubled(waiter);
    }
  }
}
