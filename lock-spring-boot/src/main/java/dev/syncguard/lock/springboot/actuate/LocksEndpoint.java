package dev.syncguard.lock.springboot.actuate;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The endpoint {@code syncguard}: the live locks of the store, and who of this process waits. Keys and lock ids are hashed.
 * Thread-safe.
 */
@Endpoint(id = "syncguard")
public final class LocksEndpoint {

  private static final int MOST = 1000;

  private final LockBackend backend;
  private final Locks locks;

  /** Creates an endpoint that looks at this store and at the locks of this application. */
  public LocksEndpoint(LockBackend backend, Locks locks) {
    this.backend = backend;
    this.locks = locks;
  }

  /**
   * What the endpoint answers.
   *
   * @param store the kind of store
   * @param live up to 1,000 live locks, soonest to expire first
   * @param waiting how many threads of this process wait, by the hash of the key
   */
  public record Report(String store, List<LiveLock> live, Map<String, Integer> waiting) {}

  /** A live lock; times are in ISO 8601. */
  public record LiveLock(
      String keyHash,
      String lockIdHash,
      String fence,
      String acquiredAt,
      String expiresAt,
      long remainingMillis) {

    private static LiveLock of(LockInfo lock) {
      return new LiveLock(
          lock.keyHash().hex(),
          lock.lockIdHash().hex(),
          lock.fence().text(),
          lock.acquiredAt().toString(),
          lock.expiresAt().toString(),
          lock.remaining().toMillis());
    }
  }

  /** Returns what is locked and awaited right now. */
  @ReadOperation
  public Report report() {
    List<LiveLock> live = backend
        .listing()
        .map(listing ->
            listing.live(MOST, Cancellation.none()).stream().map(LiveLock::of).toList())
        .orElseGet(List::of);
    Map<String, Integer> waiting = new TreeMap<>();
    locks.waiters().forEach((key, count) -> waiting.put(key.hex(), count));
    return new Report(backend.capabilities().backend(), live, waiting);
  }
}
