package dev.syncguard.lock;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews a lease at a third of its ttl until it is released or has been held for long enough.
 *
 * <p>A store that fails is asked again while the lease is still valid. A renewal that crosses a release does no harm:
 * no backend revives a lease that has ended, and the lease ignores the answer.
 */
final class LeaseKeeper {

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  private final Lease lease;
  private final Ttl ttl;
  private final long holdUntilNanos;
  private final BooleanSupplier locksAreClosed;
  private final Time time;
  private final Background background;
  private Background.@Nullable Task next;
  private boolean stopped;

  LeaseKeeper(
      Lease lease,
      Ttl ttl,
      long holdUntilNanos,
      BooleanSupplier locksAreClosed,
      Time time,
      Background background) {
    this.lease = lease;
    this.ttl = ttl;
    this.holdUntilNanos = holdUntilNanos;
    this.locksAreClosed = locksAreClosed;
    this.time = time;
    this.background = background;
  }

  void start() {
    lease.whenLost();
    renewAfter(ttl.duration().dividedBy(3));
  }

  /** Forgets the lease at once: a third of a long ttl is a long time to keep what was released. */
  synchronized void stop() {
    stopped = true;
    if (next != null) {
      next.cancel();
    }
  }

  private synchronized void renewAfter(Duration pause) {
    if (!stopped) {
      next = background.after(
          pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause, this::renew);
    }
  }

  private void renew() {
    if (!lease.isHeld() || locksAreClosed.getAsBoolean()) {
      return;
    }
    long holdLeftMillis = (holdUntilNanos - time.nanos()) / 1_000_000;
    if (holdLeftMillis < 1) {
      return;
    }
    boolean last = holdLeftMillis <= ttl.millis();
    Duration longer = Duration.ofMillis(Math.min(ttl.millis(), holdLeftMillis));
    try {
      if (lease.extend(longer) && !last) {
        renewAfter(longer.dividedBy(3));
      }
    } catch (LockException e) {
      renewAfter(lease.remaining().dividedBy(4));
    }
  }
}
