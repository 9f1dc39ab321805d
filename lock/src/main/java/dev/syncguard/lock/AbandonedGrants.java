package dev.syncguard.lock;

import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Releases leases that nobody will use but that the store may have granted, or may yet grant.
 *
 * <p>A request whose reply was lost can still be on its way. So an answer of "absent" is not believed at once, and a
 * store that fails is asked again until the lease would have ended by itself. Only a few are pursued at once, so that a
 * store that is down does not fill the process with threads that wait for it.
 */
final class AbandonedGrants {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int ABSENT_ANSWERS_TO_BELIEVE = 3;
  private static final int MOST_AT_ONCE = 4;

  private final LockBackend backend;
  private final Time time;
  private final Background background;
  private final Deque<Pursuit> due = new ArrayDeque<>();
  private int atWork;

  AbandonedGrants(LockBackend backend, Time time, Background background) {
    this.backend = backend;
    this.time = time;
    this.background = background;
  }

  /** Sees to it that the lease ends, in the background, and reports once if it could not. */
  void release(LockKey key, LockId id, Ttl ttl, ReleaseErrorHandler onError) {
    long end = time.nanos()
        + ttl.duration().toNanos()
        + Duration.ofMillis(Liveness.TIME_TOLERANCE_MS).toNanos();
    pursue(new Pursuit(key, id, end, onError));
  }

  private void pursue(Pursuit pursuit) {
    synchronized (due) {
      due.addLast(pursuit);
      if (atWork == MOST_AT_ONCE) {
        return;
      }
      atWork++;
    }
    try {
      background.after(Duration.ZERO, this::work);
    } catch (RuntimeException | Error e) {
      // Nobody takes work any more. A caller that is held up is better than a lock that stays.
      Interruption.deferring(this::work);
    }
  }

  private void work() {
    for (Pursuit next = takeNext(); next != null; next = takeNext()) {
      next.tryOnce();
    }
  }

  private @Nullable Pursuit takeNext() {
    synchronized (due) {
      if (due.isEmpty()) {
        atWork--;
      }
      return due.pollFirst();
    }
  }

  private final class Pursuit {
    private final LockKey key;
    private final LockId id;
    private final long endNanos;
    private final ReleaseErrorHandler onError;
    private Duration pause = FIRST_PAUSE;
    private int absentAnswers;

    Pursuit(LockKey key, LockId id, long endNanos, ReleaseErrorHandler onError) {
      this.key = key;
      this.id = id;
      this.endNanos = endNanos;
      this.onError = onError;
    }

    void tryOnce() {
      try {
        if (backend.release(id, Cancellation.none()) instanceof ReleaseResult.Released
            || ++absentAnswers == ABSENT_ANSWERS_TO_BELIEVE) {
          return;
        }
        tryLater();
      } catch (RuntimeException | Error e) {
        if (!tryLater()) {
          ReleaseErrors.report(
              onError,
              e,
              new ReleaseErrorHandler.Failure(
                  key, id, ReleaseErrorHandler.Source.ABANDONED_ACQUIRE));
        }
      }
    }

    private boolean tryLater() {
      if (endNanos - time.nanos() <= pause.toNanos()) {
        return false;
      }
      try {
        background.after(pause, () -> pursue(this));
      } catch (RuntimeException | Error e) {
        return false;
      }
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
      return true;
    }
  }
}
