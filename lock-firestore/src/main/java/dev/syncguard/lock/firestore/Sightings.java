package dev.syncguard.lock.firestore;

import com.google.cloud.Timestamp;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Remembers the leases of others, and until when each must be seen unchanged before we may overtake it.
 *
 * <p>That is counted on our monotonic clock, which nobody sets. A lease that was extended, or has another owner, is
 * another version of its document, so its count starts anew; so does that of a lease which was forgotten because too many
 * others were seen since. Thread-safe.
 */
final class Sightings {

  static final int MOST = 1000;

  private final Time time;
  private final Map<LockKey, Sighting> seen = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<LockKey, Sighting> eldest) {
      return size() > MOST;
    }
  };

  private record Sighting(Timestamp version, long endNanos) {}

  Sightings(Time time) {
    this.time = time;
  }

  /**
   * Returns for how many more milliseconds the lease that holds a key must be left alone, or zero.
   *
   * @param version which version of its document we have just read
   * @param remainingMs how much longer it goes on by what we have read, which counts at first sight only
   */
  synchronized long leftMillis(LockKey key, Timestamp version, long remainingMs) {
    long now = time.nanos();
    Sighting sighting = seen.get(key);
    if (sighting == null || !sighting.version.equals(version)) {
      sighting =
          new Sighting(version, now + TimeUnit.MILLISECONDS.toNanos(Math.max(remainingMs, 0)));
      seen.put(key, sighting);
    }
    long leftNanos = sighting.endNanos - now;
    // Rounded up: a lease that goes on for a nanosecond goes on.
    return leftNanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(leftNanos - 1) + 1;
  }

  synchronized int count() {
    return seen.size();
  }
}
