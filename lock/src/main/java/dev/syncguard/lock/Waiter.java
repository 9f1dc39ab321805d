package dev.syncguard.lock;

import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One caller that waits for one key. Its thread drives it; others only fire its signal or, under the guard of the
 * {@link WaitingRoom}, settle an offer.
 */
final class Waiter {

  /** What the caller asked for. */
  record Wish(
      LockKey key,
      Ttl ttl,
      Duration patience,
      RetryPolicy polling,
      Cancellation cancellation,
      ReleaseErrorHandler onReleaseError) {}

  /** What the waiter's thread does next. */
  enum Move {
    TAKE_GRANT,
    AWAIT_OFFER,
    ATTEMPT,
    WAIT
  }

  /** However quiet it is, a waiter looks around this often: a wake-up that got lost costs no more. */
  static final Duration LOOK_AROUND = Duration.ofSeconds(1);

  final Wish wish;
  private final Time time;
  private final Time.Signal signal;
  private final long deadlineNanos;
  private volatile long nextAttemptNanos;
  private boolean madeLastAttempt;
  private int failuresInARow;
  private volatile boolean woken;

  // The current try. A grant that comes too late burns the id, so the waiter starts over with
  // another.
  private LockId id;
  private WaitingLine.Place place;
  private long sentAtNanos;
  private boolean outcomeUnknown;

  // Guarded by the waiting room.
  boolean offered;
  boolean attempting;

  @Nullable
  Grant grant;

  Waiter(Wish wish, Time time, WaitingRoom room) {
    this.wish = wish;
    this.time = time;
    this.signal = time.newSignal();
    this.nextAttemptNanos = time.nanos();
    this.deadlineNanos = nextAttemptNanos + wish.patience().toNanos();
    this.id = room.newId();
    this.place = room.place(this, id);
  }

  LockId id() {
    return id;
  }

  WaitingLine.Place place() {
    return place;
  }

  /** Tells the thread to look around. */
  void nudge() {
    signal.fire();
  }

  /** Tells the thread that an attempt is worth while now. */
  void wake() {
    woken = true;
    signal.fire();
  }

  /** Called by whoever just got the key in this process: it will be free again when he says so, or after a while. */
  void restUntil(long nanos) {
    nextAttemptNanos = nanos;
  }

  boolean isDue() {
    long now = time.nanos();
    return woken || now - nextAttemptNanos >= 0 || (now - deadlineNanos >= 0 && !madeLastAttempt);
  }

  boolean isOutOfTime() {
    return time.nanos() - deadlineNanos >= 0;
  }

  /** Notes that a request leaves now, and returns when the first one left that can have caused a grant. */
  long sending(long now) {
    woken = false;
    madeLastAttempt = now - deadlineNanos >= 0;
    if (!outcomeUnknown) {
      sentAtNanos = now;
    }
    return sentAtNanos;
  }

  void wasRefused() {
    failuresInARow = 0;
    nextAttemptNanos = time.nanos() + place.patience().toNanos();
  }

  /** Returns whether a failed attempt should be repeated: the store may have stumbled, and there is time left. */
  boolean survives(LockException error, int mostFailuresInARow) {
    outcomeUnknown |= error.leavesOutcomeUnknown();
    failuresInARow++;
    nextAttemptNanos = time.nanos() + wish.polling().delay().toNanos() * failuresInARow;
    return error.isRetryable() && failuresInARow <= mostFailuresInARow && !isOutOfTime();
  }

  boolean mayHaveBeenGranted() {
    return grant != null || outcomeUnknown;
  }

  /** Notes that a request was sent for us, and that nobody knows whether it was granted. */
  void outcomeLeftUnknown(long sentNanos) {
    if (!outcomeUnknown) {
      outcomeUnknown = true;
      sentAtNanos = sentNanos;
    }
  }

  void startOver(WaitingRoom room) {
    place.close();
    id = room.newId();
    place = room.place(this, id);
    outcomeUnknown = false;
    nextAttemptNanos = time.nanos();
  }

  /** Waits until there may be something to do; the first in the queue also until its next attempt is due. */
  void pause(boolean first) throws InterruptedException {
    long now = time.nanos();
    long left = Math.min(LOOK_AROUND.toNanos(), deadlineNanos - now);
    if (first) {
      left = Math.min(left, nextAttemptNanos - now);
    }
    signal.await(Duration.ofNanos(Math.max(left, 0)));
  }

  /** Waits for an offer to be settled. It is in flight and will be, so neither time nor interruption matters. */
  void awaitSettling(BooleanSupplier unsettled) {
    while (unsettled.getAsBoolean()) {
      Interruption.awaitCalmly(signal, LOOK_AROUND);
    }
  }
}
