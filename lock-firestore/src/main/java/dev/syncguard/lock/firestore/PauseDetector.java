package dev.syncguard.lock.firestore;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Marks leases as suspect when the wall clock and the monotonic one go apart while they are held.
 *
 * <p>On Firestore a lease ends by the wall clock; what its holder counts down is monotonic. If the machine slept, the
 * first went on without the second; if somebody set the clock, it jumped. Either way the two no longer speak of the same
 * lease. Nothing runs in the background: we look after each answer of Firestore, those to renewals included, and when
 * somebody asks. Thread-safe.
 */
final class PauseDetector {

  /** How far the clocks may go apart: time servers correct one of them bit by bit. */
  static final Duration TOLERANCE = Duration.ofMillis(250);

  /** How far they move until it is worth while to look through all leases again. */
  private static final long STEP_NANOS = TOLERANCE.toNanos() / 10;

  private static final int MOST_READINGS = 10;
  private static final int MOST_HASHES = 10;
  private static final System.Logger log = System.getLogger(PauseDetector.class.getName());

  private final Time time;
  private final Consumer<SuspectLease> listener;
  private final Instant start;
  private final Map<LockId, Watched> leases = new HashMap<>();
  private int sweepAbove = 100;
  private long lastLookAt;

  /**
   * How the clocks stood at one moment.
   *
   * @param apartNanos how far the wall clock is ahead of the monotonic one
   * @param nanos the monotonic clock
   */
  record Reading(long apartNanos, long nanos) {}

  private record Watched(LockKey key, Reading since, long untilNanos, boolean suspect) {
    static Watched since(Reading reading, LockKey key, Ttl ttl) {
      return new Watched(key, reading, reading.nanos + ttl.duration().toNanos(), false);
    }

    boolean isOverAt(long nanos) {
      return nanos - untilNanos >= 0;
    }
  }

  PauseDetector(Time time, Consumer<SuspectLease> listener) {
    this.time = time;
    this.listener = listener;
    this.start = time.now();
    this.lastLookAt = read().apartNanos;
  }

  Reading read() {
    for (int readings = 1; ; readings++) {
      long before = time.nanos();
      Duration wall = Duration.between(start, time.now());
      long after = time.nanos();
      // If the thread was stopped in between, the difference says nothing.
      if (after - before < STEP_NANOS || readings == MOST_READINGS) {
        return new Reading(wall.toNanos() - after, after);
      }
    }
  }

  /** Watches over a lease from before it is asked for. A repeated request keeps the time of the first. */
  synchronized void begin(LockKey key, LockId id, Ttl ttl) {
    Reading now = read();
    if (leases.size() > sweepAbove) {
      leases.values().removeIf(lease -> lease.isOverAt(now.nanos));
      sweepAbove = Math.max(100, 2 * leases.size());
    }
    leases.putIfAbsent(id, Watched.since(now, key, ttl));
  }

  /** Starts anew with a lease that was extended, by a reading from before that was asked for. */
  synchronized void extended(LockId id, Ttl ttl, Reading before) {
    leases.computeIfPresent(id, (same, lease) -> Watched.since(before, lease.key, ttl));
  }

  synchronized void forget(LockId id) {
    leases.remove(id);
  }

  synchronized int count() {
    return leases.size();
  }

  boolean isSuspect(LockId id) {
    look();
    synchronized (this) {
      Watched lease = leases.get(id);
      return lease != null && lease.suspect;
    }
  }

  /** Marks the leases during which the clocks went apart, and tells about each of them once. */
  void look() {
    List<SuspectLease> marked = mark();
    if (!marked.isEmpty()) {
      log.log(Level.WARNING, () -> describe(marked));
      marked.forEach(this::tell);
    }
  }

  private synchronized List<SuspectLease> mark() {
    Reading now = read();
    if (Math.abs(now.apartNanos - lastLookAt) < STEP_NANOS) {
      return List.of();
    }
    lastLookAt = now.apartNanos;
    List<SuspectLease> marked = new ArrayList<>();
    leases.replaceAll((id, lease) -> {
      Duration apart = Duration.ofNanos(now.apartNanos - lease.since.apartNanos);
      if (lease.suspect || lease.isOverAt(now.nanos) || apart.abs().compareTo(TOLERANCE) <= 0) {
        return lease;
      }
      marked.add(new SuspectLease(lease.key.hash(), id.hash(), apart));
      return new Watched(lease.key, lease.since, lease.untilNanos, true);
    });
    return marked;
  }

  private static String describe(List<SuspectLease> marked) {
    List<String> hashes =
        marked.stream().limit(MOST_HASHES).map(lease -> lease.lockId().hex()).toList();
    return "This machine slept, or its clock was set, by "
        + marked.get(0).apart().toMillis()
        + " ms while " + marked.size() + " lease(s) were held (lock ids "
        + String.join(", ", hashes) + (marked.size() > MOST_HASHES ? ", ..." : "")
        + "); others may have the locks by now: extend them to find out, or stop";
  }

  private void tell(SuspectLease lease) {
    try {
      listener.accept(lease);
    } catch (RuntimeException | Error e) {
      // Whoever listens must not disturb those who lock.
      log.log(Level.WARNING, () -> "A listener for suspect leases failed", e);
    }
  }
}
