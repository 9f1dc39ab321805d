package dev.syncguard.lock;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;

/** Brings what went wrong during a release to its handler, whatever either of them throws. */
final class ReleaseErrors {

  private ReleaseErrors() {}

  static void report(ReleaseErrorHandler handler, Throwable error, Failure failure) {
    try {
      handler.releaseFailed(LockException.of(error), failure);
    } catch (RuntimeException | Error e) {
      // The handler was the last place to go; a caller that merely leaves a block must not be hit
      // by it.
    }
  }
}
