package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that were lately taken by somebody who knows no line, although one of us was the first in it.
 *
 * <p>Such a client calls nobody when it frees the key, so whoever waits for a wake-up comes too late each time: there the first in
 * line has to poll, too. Thread-safe.
 */
final class PostgresPollingNeighbours {

  private static final Duration REMEMBERED_FOR = Duration.ofSeconds(3);
  private static final int MOST = 1_000;

  private final Time time;
  private final Map<LockKey, Long> untilNanos = new ConcurrentHashMap<>();

  PostgresPollingNeighbours(Time time) {
    this.time = time;
  }

  void note(LockKey key) {
    if (untilNanos.size() >= MOST) {
      untilNanos.clear();
    }
    untilNanos.put(key, time.nanos() + REMEMBERED_FOR.toNanos());
  }

  boolean want(LockKey key) {
    Long until = untilNanos.get(key);
    if (until == null) {
      return false;
    }
    if (until - time.nanos() > 0) {
      return true;
    }
    untilNanos.remove(key, until);
    return false;
  }
}
