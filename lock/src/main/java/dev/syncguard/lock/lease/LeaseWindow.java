package dev.syncguard.lock.lease;

import dev.syncguard.lock.Ttl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Until when a lease may be relied upon, whatever the store made of our requests.
 *
 * <p>What the store confirmed counts from before the request was sent, so it ends here no later than there. An extension
 * without an answer may have been applied, or may be at any moment until it cannot arrive any more; if its ttl is the
 * shorter one, it shortens the window. So do extensions that cross each other: nobody knows which one the store saw last.
 *
 * <p>All readings are monotonic nanoseconds. Not thread-safe.
 */
public final class LeaseWindow {

  /** An extension that was sent. */
  public static final class Extension {
    private final long sentNanos;
    private final long ttlNanos;
    private final long turn;

    private Extension(long sentNanos, long ttlNanos, long turn) {
      this.sentNanos = sentNanos;
      this.ttlNanos = ttlNanos;
      this.turn = turn;
    }
  }

  private final List<Extension> unanswered = new ArrayList<>(1);
  private long confirmedFrom;
  private long confirmedNanos;
  private long confirmedTurn;
  private long turns;

  /** Begins with a grant: so much of it was left when the store answered a request that was sent then. */
  public void open(long sentNanos, Duration left) {
    confirmedFrom = sentNanos;
    confirmedNanos = left.toNanos();
    confirmedTurn = ++turns;
  }

  /** Notes that an extension is sent now. */
  public Extension extending(Ttl ttl, long nowNanos) {
    Extension extension = new Extension(nowNanos, ttl.duration().toNanos(), ++turns);
    unanswered.add(extension);
    return extension;
  }

  /** Notes that the store has applied the extension. */
  public void confirmed(Extension extension) {
    unanswered.remove(extension);
    boolean crossed = confirmedTurn > extension.turn;
    confirmedNanos = crossed ? Math.min(confirmedNanos, extension.ttlNanos) : extension.ttlNanos;
    confirmedFrom = crossed ? later(confirmedFrom, extension.sentNanos) : extension.sentNanos;
    confirmedTurn = ++turns;
    unanswered.removeIf(
        other -> other.sentNanos + Doubt.LATEST_ARRIVAL.toNanos() - confirmedFrom < 0);
  }

  /** Notes that the store has not applied the extension and never will. */
  public void refused(Extension extension) {
    unanswered.remove(extension);
  }

  /** Returns whether the lease may last longer at the store than was confirmed. */
  public boolean hasUnansweredExtensions() {
    return !unanswered.isEmpty();
  }

  public long endNanos() {
    long end = confirmedFrom + confirmedNanos;
    for (Extension extension : unanswered) {
      // Applied before what was confirmed it does not matter; applied after, it counts from then.
      long earliest = later(extension.sentNanos, confirmedFrom) + extension.ttlNanos;
      end = earliest - end < 0 ? earliest : end;
    }
    return end;
  }

  private static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }
}
