package dev.syncguard.lock.waiting;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.lease.LeaseLifecycle;
import dev.syncguard.lock.runtime.OutageBackoff;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One caller that waits for one key. Its thread drives it; others fire its signal and settle the request that is under
 * way for it.
 */
public final class Waiter {

  /** However quiet it is, a waiter looks around this often: a wake-up that got lost costs no more. */
  static final Duration LOOK_AROUND = Duration.ofSeconds(1);

  /** How long a request may be under way although the time of the caller is up, while the store answers others. */
  static final Duration GRACE = Duration.ofSeconds(1);

  final LockKey key;
  final RequestOptions options;
  /** Cancelled as soon as this wait is over for whatever reason, so that a backend can break off what it does for it. */
  final Cancellation stop = Cancellation.create();

  private final Time time;
  private final Time.Signal signal;
  private final long deadlineNanos;
  private volatile long nextAttemptNanos;
  private volatile long sentNanos;
  private volatile boolean woken;
  private volatile int failuresInARow;
  private volatile boolean hasAsked;
  private volatile boolean madeLastAttempt;

  // The current try. A grant that comes too late uses the id up, so the waiter starts over with
  // another.
  private LeaseLifecycle lease;
  private WaitingLine.Place place;

  // Guarded by the waiting room.
  boolean underWay;
  boolean granted;
  boolean left;

  @Nullable
  Throwable failure;

  public Waiter(LockKey key, RequestOptions options, Time time, WaitingRoom room) {
    this.key = key;
    this.options = options;
    this.time = time;
    this.signal = time.newSignal();
    this.nextAttemptNanos = time.nanos();
    this.deadlineNanos = nextAttemptNanos + options.waitLimit().toNanos();
    this.lease = room.newLease(this);
    this.place = room.join(this, lease.id());
  }

  public LeaseLifecycle lease() {
    return lease;
  }

  public WaitingLine.Place place() {
    return place;
  }

  /** Tells the thread to look around. */
  public void nudge() {
    signal.fire();
  }

  /** Tells the thread that an attempt is worth while now. */
  public void wake() {
    woken = true;
    signal.fire();
  }

  /** Tells the thread, and a backend that does something for it, to stop. */
  public void giveUp() {
    stop.cancel();
    signal.fire();
  }

  /** Called when somebody in this process got the key: it will be free again when they say so, or after a while. */
  public void restUntil(long nanos) {
    nextAttemptNanos = nanos;
  }

  /** Returns whether to ask now. One whose time is up asks a last time, unless the store fails anyway. */
  public boolean isDue(boolean storeFails) {
    if (isOutOfTime() && hasAsked) {
      return !storeFails && !madeLastAttempt;
    }
    return woken || time.nanos() - nextAttemptNanos >= 0;
  }

  public boolean isOutOfTime() {
    return time.nanos() - deadlineNanos >= 0;
  }

  /** Returns whether a request that is under way has had its time. */
  public boolean isOverdue() {
    return isOutOfTime() && hasSentLongAgo();
  }

  private boolean hasSentLongAgo() {
    return time.nanos() - sentNanos >= GRACE.toNanos();
  }

  /** Returns whether a request is under way for which a store that is well would have had time enough. */
  boolean isLeftWithoutAnswer() {
    return underWay && hasSentLongAgo();
  }

  /** Notes that somebody sends a request for this waiter. */
  public void requested() {
    sentNanos = time.nanos();
  }

  /** Notes that this waiter asks by itself. */
  public void asking() {
    requested();
    hasAsked = true;
    woken = false;
    madeLastAttempt = isOutOfTime();
  }

  public void wasRefused() {
    failuresInARow = 0;
    nextAttemptNanos = time.nanos() + place.patience().toNanos();
  }

  public void hasFailed() {
    int failures = failuresInARow + 1;
    failuresInARow = failures;
  }

  /** Leaves a store that did not answer alone for a while. */
  public void backOff(boolean isScout, RandomGenerator random) {
    Duration pause =
        isScout ? OutageBackoff.ofScout(random) : OutageBackoff.after(failuresInARow, random);
    nextAttemptNanos = time.nanos() + pause.toNanos();
  }

  /** Returns whether the last request of this waiter failed, and the next may well do so, too. */
  public boolean isUnanswered() {
    return failuresInARow > 0;
  }

  public void startOver(WaitingRoom room) {
    place.close();
    lease = room.newLease(this);
    place = room.join(this, lease.id());
    nextAttemptNanos = time.nanos();
  }

  /** Waits until there may be something to do; one that may ask also until its next attempt is due. */
  public void pause(boolean mayAsk) throws InterruptedException {
    long now = time.nanos();
    long left = LOOK_AROUND.toNanos();
    left = Math.min(left, isOutOfTime() ? sentNanos + GRACE.toNanos() - now : deadlineNanos - now);
    if (mayAsk) {
      left = Math.min(left, nextAttemptNanos - now);
    }
    signal.await(Duration.ofNanos(Math.max(left, 0)));
  }
}
