package dev.syncguard.lock;

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
   * Returns the handler that is used when none is given: it logs, without key and lock id.
   *
   * <p>In production a lock that ends with its ttl is no reason to wake anybody, so the message is one for debugging. It
   * is a warning where the JVM runs with assertions, as tests do, and with {@code SYNCGUARD_DEBUG=true} in the
   * environment; the latter also adds the stack trace.
   */
  static ReleaseErrorHandler logging() {
    return new LoggedReleaseErrors(
        System.getLogger(ReleaseErrorHandler.class.getName()),
        Boolean.parseBoolean(System.getenv("SYNCGUARD_DEBUG")),
        ReleaseErrorHandler.class.desiredAssertionStatus());
  }
}
