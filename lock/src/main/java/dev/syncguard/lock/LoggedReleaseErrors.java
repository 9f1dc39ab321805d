package dev.syncguard.lock;

import java.lang.System.Logger.Level;

/** The default handler of releases that failed: loud in development, quiet in production. */
final class LoggedReleaseErrors implements ReleaseErrorHandler {

  private final System.Logger log;
  private final boolean debug;
  private final Level level;

  LoggedReleaseErrors(System.Logger log, boolean debug, boolean development) {
    this.log = log;
    this.debug = debug;
    this.level = debug || development ? Level.WARNING : Level.DEBUG;
  }

  @Override
  public void releaseFailed(LockException error, Failure failure) {
    String message = "A lock could not be released (" + error.code().specName() + ", "
        + failure.source() + "); it ends with its ttl. Set onReleaseError to handle this";
    if (debug) {
      log.log(level, message, error);
    } else {
      log.log(level, message);
    }
  }
}
