package dev.syncguard.lock.lease;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.ReleaseErrorHandler;
import java.lang.System.Logger.Level;

/** The default handler of releases that failed: a warning in the log. */
public final class LoggedReleaseErrors implements ReleaseErrorHandler {

  private final System.Logger log;
  private final boolean withStackTrace;

  public LoggedReleaseErrors(System.Logger log, boolean withStackTrace) {
    this.log = log;
    this.withStackTrace = withStackTrace;
  }

  @Override
  public void releaseFailed(LockException error, Failure failure) {
    String message = "A lock could not be released (" + error.code().specName() + ", "
        + failure.source() + "). " + whatFollows(error, failure)
        + ". Set onReleaseError to handle this";
    if (withStackTrace) {
      log.log(Level.WARNING, message, error);
    } else {
      log.log(Level.WARNING, message);
    }
  }

  private static String whatFollows(LockException error, Failure failure) {
    if (error instanceof BackendClosedException) {
      return "It ends by itself; close locks before their backend, so that they can give back what they hold";
    }
    return failure.source() == Source.CLOSE
        ? "It is tried again until the store answers or the lease has ended by itself"
        : "By now it has ended by itself";
  }
}
