package dev.syncguard.lock.runtime;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;

/** What callers are told when something failed that should not have. */
public final class LockErrors {
  private LockErrors() {}

  /** Returns the error itself, or an {@code Internal} one around something that no backend should throw. */
  public static LockException of(Throwable error) {
    return error instanceof LockException known
        ? known
        : new LockException(Code.INTERNAL, "The backend failed in an unexpected way", error);
  }

  /** Returns what to tell somebody whose request was under way when the locks were closed. Nothing is left of it. */
  public static LockException closedMeanwhile() {
    return new LockException(Code.ABORTED, "The locks were closed while the caller waited");
  }

  /** Returns what to tell about work that has to be done away from the caller's thread and was not accepted. */
  public static LockException noBackground(Throwable refusal) {
    return new LockException(
        Code.INTERNAL,
        "The executor that these locks do their background work on refused it; is it shut down?",
        refusal);
  }
}
