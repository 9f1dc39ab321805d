package dev.syncguard.lock.lease;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.runtime.TimeLimit;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks after a lease at the right moments: renews it while that is wanted, and notices when it is over.
 *
 * <p>A renewal comes when a third of what remains has passed, and at once if less than a third of the ttl remains: the
 * grant or the last renewal was slow then. A store that fails, or is silent for half of what remains and at least a second, is
 * asked again while the lease is valid. A look once a second notices also that the machine was asleep. Thread-safe.
 */
public final class LeaseTimer {

  private static final Duration LOOK_AROUND = Duration.ofSeconds(1);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
  private static final Duration SLOW_ANSWER = Duration.ofSeconds(1);
  private static final System.Logger log = System.getLogger(LeaseTimer.class.getName());

  private final LeaseLifecycle lease;
  private final Time time;
  private final Background background;
  private final long holdUntilNanos;
  private final ReentrantLock guard = new ReentrantLock();
  private boolean awaitsRenewal;
  private long renewAtNanos;
  private boolean stopped;
  private Background.@Nullable Task next;

  /** Creates one that only notices when the lease is over. */
  public LeaseTimer(LeaseLifecycle lease, Time time, Background background) {
    this(lease, Duration.ZERO, time, background);
  }

  private LeaseTimer(LeaseLifecycle lease, Duration maxHold, Time time, Background background) {
    this.lease = lease;
    this.time = time;
    this.background = background;
    Duration heldAlready = lease.ttl().duration().minus(lease.remaining());
    this.holdUntilNanos = time.nanos() + maxHold.minus(heldAlready).toNanos();
  }

  /** Returns one that also renews the lease until it has been held for so long. */
  public static LeaseTimer renewing(
      LeaseLifecycle lease, Duration maxHold, Time time, Background background) {
    LeaseTimer timer = new LeaseTimer(lease, maxHold, time, background);
    timer.renewAfter(timer.pauseBeforeRenewal());
    return timer;
  }

  /** Plans the next look, and throws if nobody will take it. */
  public void start() {
    plan(background.after(pause(), this::look));
  }

  /** Plans the next look anew, because the end of the lease has moved. */
  public void reschedule() {
    try {
      start();
    } catch (RuntimeException | Error e) {
      log.log(
          System.Logger.Level.WARNING,
          "A lease is no longer renewed or watched: the executor of its locks takes no more work",
          e);
    }
  }

  private void plan(Background.Task task) {
    Background.Task obsolete;
    guard.lock();
    try {
      obsolete = stopped ? task : next;
      next = stopped ? null : task;
    } finally {
      guard.unlock();
    }
    if (obsolete != null) {
      obsolete.cancel();
    }
  }

  private Duration pause() {
    Duration pause = min(LOOK_AROUND, lease.remaining());
    guard.lock();
    try {
      long untilRenewal = awaitsRenewal ? renewAtNanos - time.nanos() : Long.MAX_VALUE;
      return min(pause, Duration.ofNanos(Math.max(untilRenewal, 0)));
    } finally {
      guard.unlock();
    }
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void look() {
    // To ask is enough: a lease whose time is up reports itself lost.
    if (!lease.isHeld()) {
      return;
    }
    boolean renewNow = takeRenewal();
    // Before the renewal, which may hang for longer than the lease lasts.
    reschedule();
    if (renewNow) {
      renew();
      reschedule();
    }
  }

  private boolean takeRenewal() {
    guard.lock();
    try {
      if (!awaitsRenewal || time.nanos() - renewAtNanos < 0) {
        return false;
      }
      awaitsRenewal = false;
      return true;
    } finally {
      guard.unlock();
    }
  }

  private void renew() {
    long holdLeftMillis = (holdUntilNanos - time.nanos()) / 1_000_000;
    if (holdLeftMillis < 1) {
      return;
    }
    long ttlMillis = lease.ttl().millis();
    Ttl longer = Ttl.ofMillis(Math.min(ttlMillis, holdLeftMillis));
    boolean answered = false;
    long endNanos = time.nanos() + lease.remaining().toNanos();
    try {
      boolean extended =
          TimeLimit.on(overdue -> lease.extend(longer, overdue), longestAnswer(), background);
      answered = true;
      if (extended) {
        lease.renewed(renewal(endNanos - time.nanos()));
      }
      if (extended && holdLeftMillis > ttlMillis) {
        renewAfter(pauseBeforeRenewal());
      }
    } catch (LockException e) {
      // Told by nobody yet: the lease is still valid, and there is time to ask again.
      log.log(System.Logger.Level.DEBUG, "A renewal failed and will be tried again", e);
    } finally {
      if (!answered) {
        lease.renewed(LeaseListener.Renewal.FAILED);
        renewAfter(lease.remaining().dividedBy(4));
      }
    }
  }

  /** A connection that died without a word must not take the rest of the lease with it; a store that is only slow may answer. */
  private Duration longestAnswer() {
    Duration half = lease.remaining().dividedBy(2);
    return half.compareTo(SLOW_ANSWER) < 0 ? SLOW_ANSWER : half;
  }

  private LeaseListener.Renewal renewal(long nanosToSpare) {
    boolean late = 3 * nanosToSpare < lease.ttl().duration().toNanos();
    return late ? LeaseListener.Renewal.LATE : LeaseListener.Renewal.IN_TIME;
  }

  private Duration pauseBeforeRenewal() {
    Duration left = lease.remaining();
    Duration third = lease.ttl().duration().dividedBy(3);
    return left.compareTo(third) < 0 ? Duration.ZERO : left.dividedBy(3);
  }

  private void renewAfter(Duration pause) {
    Duration notTooSoon = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
    guard.lock();
    try {
      renewAtNanos = time.nanos() + notTooSoon.toNanos();
      awaitsRenewal = true;
    } finally {
      guard.unlock();
    }
  }

  /** Forgets the lease at once: whatever was planned might be far away. */
  public void stop() {
    Background.Task obsolete;
    guard.lock();
    try {
      stopped = true;
      obsolete = next;
      next = null;
    } finally {
      guard.unlock();
    }
    if (obsolete != null) {
      obsolete.cancel();
    }
  }
}
