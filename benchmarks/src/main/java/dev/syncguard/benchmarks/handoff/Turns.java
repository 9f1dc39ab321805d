package dev.syncguard.benchmarks.handoff;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What each contender does in a contest: wait for the lock, hold it for a millisecond, come back at once.
 *
 * <p>This is the hardest case for those who poll, as whoever releases the lock always finds it free.
 */
final class Turns {

  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final Contender contender;
  private final Baton baton;
  private final long number;
  private final long contestsBefore;
  private long grants;
  private long longestWait;

  /** Enters for the next contest that begins. */
  Turns(Contender contender, Baton baton, long number) {
    this.contender = contender;
    this.baton = baton;
    this.number = number;
    this.contestsBefore = baton.contests();
  }

  /** Takes part from the opening of the contest to its end. */
  Showing take() throws Exception {
    while (baton.contests() == contestsBefore) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    while (baton.isOpen()) {
      long askedAt = System.nanoTime();
      contender.underLock(() -> hold(askedAt));
    }
    return new Showing(grants, longestWait);
  }

  private void hold(long askedAt) {
    baton.enter(number);
    long grantedAt = System.nanoTime();
    longestWait = Math.max(longestWait, grantedAt - askedAt);
    if (baton.isOpen()) {
      grants++;
    }
    long left = HOLD_NANOS;
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = HOLD_NANOS - (System.nanoTime() - grantedAt);
    }
    baton.leave(number);
  }
}
