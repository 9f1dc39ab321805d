package dev.syncguard.lock.springboot;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Locks as {@link java.util.concurrent.locks.Lock}: {@code leaseLocks.get("stock").lock()}. One object for each key, so that
 * a thread may take a key again that it holds. Thread-safe.
 */
public final class LeaseLocks {

  private static final int MANY = 10_000;
  private static final Duration RECENTLY = Duration.ofMinutes(1);

  private final Locks locks;
  private final Duration ttl;
  private final Duration maxHold;
  private final Time time;
  private final ConcurrentMap<LockKey, LeaseLock> known = new ConcurrentHashMap<>();
  private volatile int many = MANY;

  /**
   * Creates them.
   *
   * @param locks where the leases come from
   * @param ttl how long a lock lasts when its process has died
   * @param maxHold how long a lock is renewed while its thread holds it
   */
  public LeaseLocks(Locks locks, Duration ttl, Duration maxHold) {
    this(locks, ttl, maxHold, Time.system());
  }

  /** As {@link #LeaseLocks(Locks, Duration, Duration)}, on a clock of a test. */
  public LeaseLocks(Locks locks, Duration ttl, Duration maxHold, Time time) {
    this.locks = locks;
    this.ttl = ttl;
    this.maxHold = maxHold;
    this.time = time;
  }

  /** Returns the lock of a key. */
  public LeaseLock get(String key) {
    if (known.size() > many) {
      expireUnusedOlderThan(RECENTLY);
      // Twice as many before we look again, or else each would look at all of them while they are
      // in use.
      many = Math.max(MANY, 2 * known.size());
    }
    return known.compute(LockKey.of(key), (name, lock) -> {
      LeaseLock found = lock == null ? new LeaseLock(locks, name, ttl, maxHold, time) : lock;
      found.isUsed();
      return found;
    });
  }

  /** Forgets the locks that nobody holds and nobody has asked for in this time. It happens by itself when there are many. */
  public void expireUnusedOlderThan(Duration age) {
    known
        .keySet()
        .forEach(key ->
            known.computeIfPresent(key, (name, lock) -> lock.isUnusedFor(age) ? null : lock));
  }

  /** Returns how many are remembered. */
  public int size() {
    return known.size();
  }

  /** Returns how long a lock lasts when its process has died. */
  public Duration ttl() {
    return ttl;
  }
}
