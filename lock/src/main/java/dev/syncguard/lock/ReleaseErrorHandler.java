package dev.syncguard.lock;

import java.lang.System.Logger.Level;

/**
 * Learns about releases that failed where nobody could be told by an exception.
 *
 * <p>Such a lock is not lost for good: it ends with its ttl. What the handler itself throws is dropped.
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

  /** Called once for each release that failed. */
  void releaseFailed(LockException error, Failure failure);

  /**
   * Returns the handler that is used when none is given: it logs a warning without key and lock id.
   *
   * <p>With {@code SYNCGUARD_DEBUG=true} in the environment the warning carries the stack trace.
   */
  static ReleaseErrorHandler logging() {
    System.Logger log = System.getLogger(ReleaseErrorHandler.class.getName());
    boolean debug = Boolean.parseBoolean(System.getenv("SYNCGUARD_DEBUG"));
    return (error, failure) -> {
      String message = "A lock could not be released (" + error.code().specName() + ", "
          + failure.source() + "); it ends with its ttl. Set onReleaseError to handle this";
      if (debug) {
        log.log(Level.WARNING, message, error);
      } else {
        log.log(Level.WARNING, message);
      }
    };
  }
}
