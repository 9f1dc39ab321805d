package dev.syncguard.lock;

import dev.syncguard.lock.lease.LoggedReleaseErrors;

/**
 * Learns about releases that failed where nobody could be told by an exception.
 *
 * <p>Such a lock is not lost for good: the release is tried again in the background, and in the end the ttl is over. What
 * the handler itself throws is dropped.
 */
@FunctionalInterface
public interface ReleaseErrorHandler {

  /** Where the release was attempted. */
  enum Source {
    /** When a lease was closed. */
    CLOSE,
    /** When an acquisition was given up whose outcome was not known. */
    ABANDONED_ACQUIRE
  }

  /**
   * What failed.
   *
   * @param key the key; its {@code toString} shows the hash
   * @param lockId the lock id; its {@code toString} shows the hash
   * @param source where the release was attempted
   */
  record Failure(LockKey key, LockId lockId, Source source) {}

  /** Called once for each release that failed, from any thread. */
  void releaseFailed(LockException error, Failure failure);

  /**
   * Returns the handler that is used when none is given: it logs a warning, without key and lock id. With {@code
   * SYNCGUARD_DEBUG=true} in the environment the stack trace comes with it.
   */
  static ReleaseErrorHandler logging() {
    return new LoggedReleaseErrors(
        System.getLogger(ReleaseErrorHandler.class.getName()),
        Boolean.parseBoolean(System.getenv("SYNCGUARD_DEBUG")));
  }
}
