package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The live locks at one moment.
 *
 * @param locks soonest to expire first
 * @param keys the keys by their hashes, for those who asked to see them; else none
 * @param complete whether these are all
 */
record LiveLocks(List<LockInfo> locks, Map<LockHash, LockKey> keys, boolean complete) {

  static LiveLocks read(LockBackend backend, int limit, boolean raw) {
    List<LockInfoDebug> found = backend
        .listing()
        .orElseThrow(() -> LockException.invalidArgument("This store cannot list its locks"))
        .liveRaw(limit + 1, Cancellation.none());
    boolean complete = found.size() <= limit;
    List<LockInfoDebug> shown = complete ? found : found.subList(0, limit);
    Map<LockHash, LockKey> keys = new HashMap<>();
    if (raw) {
      shown.forEach(lock -> keys.put(lock.key().hash(), lock.key()));
    }
    return new LiveLocks(
        shown.stream().map(LockInfoDebug::sanitized).toList(), Map.copyOf(keys), complete);
  }

  JsonLine json() {
    return new JsonLine()
        .add("ok", true)
        .add("locks", locks.stream().map(this::json).toList())
        .add("complete", complete);
  }

  private JsonLine json(LockInfo lock) {
    JsonLine json = new JsonLine();
    key(lock).ifPresent(key -> json.add("key", key.value()));
    return LockTable.describe(json, lock);
  }

  Optional<LockKey> key(LockInfo lock) {
    return Optional.ofNullable(keys.get(lock.keyHash()));
  }

  /** Returns how many there are, in words. */
  String count() {
    return (complete ? "" : "more than ")
        + locks.size()
        + (locks.size() == 1 ? " live lock" : " live locks");
  }
}
