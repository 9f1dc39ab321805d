package dev.syncguard.lock.lease;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Background;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.runtime.OutageBackoff;
import dev.syncguard.lock.runtime.TimeLimit;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks until the store has answered: releases leases whose grant was lost or is not wanted, or whose release failed.
 *
 * <p>A request without an answer can still be on its way, so an id is asked for again until none of its requests can
 * arrive any more. A store that fails is asked until the lease has ended by itself at the latest, a backend that was closed
 * is not asked again. While it fails, one request at a time finds out whether it is back, however many leases wait for it;
 * then a few go at once. Thread-safe.
 */
public final class PendingReleases {

  private static final int MOST_AT_ONCE = 4;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

  private final LockBackend backend;
  private final Time time;
  private final Background background;
  private final RandomGenerator random;
  private final Deque<Pending> due = new ArrayDeque<>();
  private int atWork;
  private int failuresInARow;
  private boolean pausing;

  /** One lease that has to end. Not thread-safe. */
  private static final class Pending {
    final LeaseLifecycle lease;
    final long endsByItselfAt;
    private final Consumer<Throwable> onFailure;
    int tries;
    boolean answered;

    Pending(LeaseLifecycle lease, Consumer<Throwable> onFailure) {
      this.lease = lease;
      this.endsByItselfAt = lease.endsByItselfAt();
      this.onFailure = onFailure;
    }

    /** Tells that nobody asks any more. There is nothing to tell of a lease of which the store has already heard. */
    void giveUp(Throwable error) {
      if (!answered) {
        onFailure.accept(error);
      }
    }
  }

  public PendingReleases(
      LockBackend backend, Time time, Background background, RandomGenerator random) {
    this.backend = backend;
    this.time = time;
    this.background = background;
    this.random = random;
  }

  /** Sees to it that the lease ends at the store. If that cannot be, the last error is told when it is over anyway. */
  public void add(LeaseLifecycle lease, Consumer<Throwable> onFailure) {
    add(new Pending(lease, onFailure));
  }

  /** As {@link #add}, beginning after a while. */
  public void addLater(Duration pause, LeaseLifecycle lease) {
    later(new Pending(lease, error -> {}), pause);
  }

  private void add(Pending pending) {
    synchronized (due) {
      due.addLast(pending);
    }
    startWorkers(1);
  }

  private void startWorkers(int wanted) {
    for (int i = 0; i < wanted && mayStartWorker(); i++) {
      if (!BackgroundWork.isTaken(background, this::work)) {
        // A caller that is held up is better than a lock that stays.
        Interruption.deferring(this::work);
      }
    }
  }

  private boolean mayStartWorker() {
    synchronized (due) {
      if (pausing || due.isEmpty() || atWork == MOST_AT_ONCE) {
        return false;
      }
      atWork++;
      return true;
    }
  }

  private void work() {
    for (Pending next = takeNext(); next != null; next = takeNext()) {
      ask(next);
    }
  }

  private @Nullable Pending takeNext() {
    synchronized (due) {
      if (pausing || due.isEmpty()) {
        atWork--;
        return null;
      }
      return due.pollFirst();
    }
  }

  private void ask(Pending pending) {
    LeaseLifecycle lease = pending.lease;
    pending.tries++;
    long sentNanos = time.nanos();
    try {
      TimeLimit.on(
          overdue -> backend.release(lease.key(), lease.id(), overdue), LONGEST_ANSWER, background);
    } catch (RuntimeException | Error e) {
      failed(pending, e);
      return;
    }
    pending.answered = true;
    if (lease.mayArriveUntil() - sentNanos > 0) {
      later(pending, OutageBackoff.after(pending.tries, random));
    }
    storeAnswered();
  }

  private void failed(Pending pending, Throwable error) {
    if (time.nanos() - pending.endsByItselfAt >= 0 || error instanceof BackendClosedException) {
      pending.giveUp(error);
    } else if (LockErrors.of(error).isRetryable()) {
      storeFailed(pending, error);
    } else if (!later(pending, OutageBackoff.after(pending.tries, random))) {
      pending.giveUp(error);
    }
  }

  private boolean later(Pending pending, Duration pause) {
    try {
      background.after(pause, () -> add(pending));
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private void storeAnswered() {
    synchronized (due) {
      failuresInARow = 0;
    }
    startWorkers(MOST_AT_ONCE);
  }

  private void storeFailed(Pending pending, Throwable error) {
    Duration pause;
    synchronized (due) {
      due.addLast(pending);
      if (pausing) {
        return;
      }
      pausing = true;
      pause = OutageBackoff.after(++failuresInARow, random);
    }
    try {
      background.after(pause, () -> resume(error));
    } catch (RuntimeException | Error e) {
      giveUp(anything -> true, error);
    }
  }

  private void resume(Throwable lastError) {
    long now = time.nanos();
    giveUp(pending -> now - pending.endsByItselfAt >= 0, lastError);
    startWorkers(1);
  }

  /** Ends the pause, and forgets leases that need nobody any more, or whom nobody can help. */
  private void giveUp(Predicate<Pending> which, Throwable error) {
    List<Pending> over;
    synchronized (due) {
      pausing = false;
      over = due.stream().filter(which).toList();
      due.removeAll(over);
    }
    over.forEach(pending -> pending.giveUp(error));
  }
}
