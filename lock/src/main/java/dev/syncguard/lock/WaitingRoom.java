package dev.syncguard.lock;

import dev.syncguard.lock.Waiter.Move;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of this process wait for keys.
 *
 * <p>There is one queue per key, first come, first served, and only its first waiter talks to the store. When a lease of
 * this process ends while somebody queues here, the thread that releases it hands the key over in one round trip: the
 * waiter is <em>offered</em> the key, keeps still until the offer is settled, and then has it or goes on waiting. After a
 * run of such hand-overs the key is released for everybody, so that other processes get their turn.
 *
 * <p>A queue exists only while somebody waits in it. The guard is held for bookkeeping only, never during I/O.
 */
final class WaitingRoom {

  /** How often in a row a waiter puts up with a store that stumbles. */
  private static final int MOST_FAILURES_IN_A_ROW = 3;

  private final LockBackend backend;
  private final Optional<WaitingLine> line;
  private final Time time;
  private final RandomGenerator random;
  private final int longestRun;
  private final AbandonedGrants abandoned;
  private final Object guard = new Object();
  private final Map<LockKey, Queue> queues = new HashMap<>();

  private static final class Queue {
    final Deque<Waiter> waiters = new ArrayDeque<>();
    int handOversInARow;
  }

  WaitingRoom(
      LockBackend backend,
      Optional<WaitingLine> line,
      Time time,
      RandomGenerator random,
      int longestRun,
      AbandonedGrants abandoned) {
    this.backend = backend;
    this.line = line;
    this.time = time;
    this.random = random;
    this.longestRun = longestRun;
    this.abandoned = abandoned;
  }

  LockId newId() {
    return LockId.random(random);
  }

  WaitingLine.Place place(Waiter waiter, LockId id) {
    Waiter.Wish wish = waiter.wish;
    return line.isPresent()
        ? line.get().join(wish.key(), id, waiter::wake)
        : new PollingPlace(backend, wish.key(), id, wish.polling(), random);
  }

  /** Waits until the key is ours, or throws: time is up, the caller gave up, or the store failed for good. */
  Grant await(Waiter.Wish wish) {
    Interruption.throwIfInterrupted();
    wish.cancellation().throwIfCancelled();
    Waiter waiter = new Waiter(wish, time, this);
    enter(waiter);
    boolean served = false;
    try (Cancellation.Registration listening = wish.cancellation().onCancel(waiter::nudge)) {
      Grant grant = waitFor(waiter);
      served = true;
      return grant;
    } finally {
      if (!served) {
        leave(waiter);
      }
      Interruption.deferring(waiter.place()::close);
    }
  }

  private Grant waitFor(Waiter waiter) {
    while (true) {
      giveUpIfAsked(waiter);
      switch (nextMove(waiter)) {
        case TAKE_GRANT -> {
          Grant grant = taken(waiter);
          if (!grant.cameTooLate(time.nanos())) {
            return grant;
          }
          abandoned.release(grant.key(), grant.id(), grant.ttl(), waiter.wish.onReleaseError());
          waiter.startOver(this);
          enterFirst(waiter);
        }
        case AWAIT_OFFER -> waiter.awaitSettling(() -> isOffered(waiter));
        case ATTEMPT -> attempt(waiter);
        case WAIT -> pause(waiter);
      }
    }
  }

  private Move nextMove(Waiter waiter) {
    synchronized (guard) {
      if (waiter.grant != null) {
        return Move.TAKE_GRANT;
      }
      if (waiter.offered) {
        return Move.AWAIT_OFFER;
      }
      if (mayAttempt(waiter) && waiter.isDue()) {
        waiter.attempting = true;
        return Move.ATTEMPT;
      }
      return Move.WAIT;
    }
  }

  /** Without a line the first one's pauses may be long, so nobody gives up on a key without having looked himself. */
  private boolean mayAttempt(Waiter waiter) {
    return isFirst(waiter) || (line.isEmpty() && waiter.isOutOfTime());
  }

  private void attempt(Waiter waiter) {
    long now = time.nanos();
    long sentAt = waiter.sending(now);
    try {
      AcquireResult result = waiter.place().attempt(waiter.wish.ttl(), waiter.wish.cancellation());
      if (result instanceof AcquireResult.Acquired acquired) {
        granted(waiter, acquired, sentAt, now);
      } else {
        waiter.wasRefused();
      }
    } catch (RuntimeException e) {
      LockException error = LockException.of(e);
      if (!waiter.survives(error, MOST_FAILURES_IN_A_ROW)) {
        throw error.about(waiter.wish.key());
      }
    } catch (Error e) {
      waiter.outcomeLeftUnknown(sentAt);
      throw e;
    } finally {
      synchronized (guard) {
        waiter.attempting = false;
      }
    }
  }

  private void pause(Waiter waiter) {
    boolean outOfRetries =
        waiter.place() instanceof PollingPlace polling && polling.isOutOfRetries();
    if (waiter.isOutOfTime() || outOfRetries) {
      throw new LockException(
              LockException.Code.ACQUISITION_TIMEOUT,
              "Somebody else held the lock for all of the "
                  + waiter.wish.patience().toMillis()
                  + " ms that the caller was willing to wait; wait longer or try again later")
          .about(waiter.wish.key());
    }
    try {
      waiter.pause(isFirstNow(waiter));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Interruption.aborted();
    }
  }

  private static void giveUpIfAsked(Waiter waiter) {
    Interruption.throwIfInterrupted();
    waiter.wish.cancellation().throwIfCancelled();
  }

  private void granted(
      Waiter waiter, AcquireResult.Acquired acquired, long firstSentAt, long lastSentAt) {
    synchronized (guard) {
      waiter.grant = Grant.of(
          waiter.wish.key(), waiter.id(), waiter.wish.ttl(), acquired, firstSentAt, lastSentAt);
      waiter.offered = false;
      Waiter next = removeAndGetFirst(waiter);
      if (next != null) {
        next.restUntil(time.nanos() + Waiter.LOOK_AROUND.toNanos());
      }
    }
  }

  /**
   * Ends a lease and returns whether it was still live. If somebody in this process waits for its key, the key goes to
   * him in the same round trip.
   */
  boolean release(LockKey key, LockId id, Cancellation cancellation) {
    Waiter heir = offerToFirst(key);
    if (heir == null) {
      try {
        return backend.release(key, id, cancellation) instanceof ReleaseResult.Released;
      } finally {
        wakeFirst(key);
      }
    }
    long sentAt = time.nanos();
    boolean settled = false;
    try {
      AcquireResult result = heir.place().takeOver(id, heir.wish.ttl());
      settled = true;
      if (result instanceof AcquireResult.Acquired acquired) {
        granted(heir, acquired, sentAt, sentAt);
        return true;
      }
      return false;
    } finally {
      settle(heir, settled, sentAt);
    }
  }

  private @Nullable Waiter offerToFirst(LockKey key) {
    synchronized (guard) {
      Queue queue = queues.get(key);
      if (queue == null || line.isEmpty()) {
        return null;
      }
      Waiter first = queue.waiters.getFirst();
      if (first.attempting
          || first.offered
          || !first.place().mayTakeOver()
          || queue.handOversInARow == longestRun) {
        queue.handOversInARow = 0;
        return null;
      }
      queue.handOversInARow++;
      first.offered = true;
      return first;
    }
  }

  private void settle(Waiter heir, boolean outcomeKnown, long sentAt) {
    synchronized (guard) {
      heir.offered = false;
      if (!outcomeKnown) {
        heir.outcomeLeftUnknown(sentAt);
      }
    }
    heir.wake();
  }

  private void wakeFirst(LockKey key) {
    synchronized (guard) {
      Queue queue = queues.get(key);
      if (queue != null) {
        queue.waiters.getFirst().wake();
      }
    }
  }

  private void enter(Waiter waiter) {
    synchronized (guard) {
      queues.computeIfAbsent(waiter.wish.key(), key -> new Queue()).waiters.addLast(waiter);
    }
  }

  private void enterFirst(Waiter waiter) {
    synchronized (guard) {
      queues.computeIfAbsent(waiter.wish.key(), key -> new Queue()).waiters.addFirst(waiter);
    }
  }

  /** Leaves without a trace: an offer in flight is awaited and, like any other unwanted grant, given back. */
  private void leave(Waiter waiter) {
    while (!stepOut(waiter)) {
      waiter.awaitSettling(() -> isOffered(waiter));
    }
    if (waiter.mayHaveBeenGranted()) {
      abandoned.release(
          waiter.wish.key(), waiter.id(), waiter.wish.ttl(), waiter.wish.onReleaseError());
    }
  }

  /** Takes a waiter out of its queue, so that nobody can offer it the key any more, unless somebody just does. */
  private boolean stepOut(Waiter waiter) {
    synchronized (guard) {
      if (waiter.offered) {
        return false;
      }
      Waiter next = waiter.grant == null ? removeAndGetFirst(waiter) : null;
      if (next != null) {
        next.wake();
      }
      return true;
    }
  }

  /** Returns whether nobody waits and nothing is remembered about anybody who did. */
  boolean isEmpty() {
    synchronized (guard) {
      return queues.isEmpty();
    }
  }

  private Grant taken(Waiter waiter) {
    synchronized (guard) {
      Grant grant = Objects.requireNonNull(waiter.grant);
      waiter.grant = null;
      return grant;
    }
  }

  private boolean isOffered(Waiter waiter) {
    synchronized (guard) {
      return waiter.offered;
    }
  }

  private boolean isFirstNow(Waiter waiter) {
    synchronized (guard) {
      return isFirst(waiter);
    }
  }

  private boolean isFirst(Waiter waiter) {
    Queue queue = queues.get(waiter.wish.key());
    return queue != null && queue.waiters.peekFirst() == waiter;
  }

  private @Nullable Waiter removeAndGetFirst(Waiter waiter) {
    LockKey key = waiter.wish.key();
    Queue queue = queues.get(key);
    if (queue == null) {
      return null;
    }
    queue.waiters.remove(waiter);
    if (queue.waiters.isEmpty()) {
      queues.remove(key);
      return null;
    }
    return queue.waiters.getFirst();
  }
}
