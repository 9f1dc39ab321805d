package dev.syncguard.benchmarks.handoff;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What each contender does in a contest: wait for the lock, hold it for a while, come back at once.
 *
 * <p>This is the hardest case for those who poll, as whoever releases the lock always finds it free.
 */
final class Turns {

  /** How long the lock is held in a contest that counts. */
  static final Duration HOLD = Duration.ofMillis(1);

  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final Contender contender;
  private final Baton baton;
  private final long number;
  private final long holdNanos;
  private final long contestsBefore;
  private long grants;
  private long longestWait;

  /** Enters for the next contest that begins. */
  Turns(Contender contender, Baton baton, long number, Duration hold) {
    this.contender = contender;
    this.baton = baton;
    this.number = number;
    this.holdNanos = hold.toNanos();
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
    long left = holdNanos;
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = holdNanos - (System.nanoTime() - grantedAt);
    }
    baton.leave(number);
  }
}
