package dev.syncguard.lock.lease;

import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.runtime.LockErrors;

/** Brings what went wrong during a release to its handler, whatever either of them throws. */
public final class ReleaseErrors {

  private ReleaseErrors() {}

  public static void report(ReleaseErrorHandler handler, Throwable error, Failure failure) {
    try {
      handler.releaseFailed(LockErrors.of(error), failure);
    } catch (RuntimeException | Error e) {
      // The handler was the last place to go; a caller that merely leaves a block must not be hit
      // by it.
    }
  }
}
