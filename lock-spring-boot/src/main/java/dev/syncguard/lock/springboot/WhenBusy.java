package dev.syncguard.lock.springboot;

/** What a {@link Locked} method does when somebody else has its key for as long as it waits. */
public enum WhenBusy {
  /** Throws {@link LockBusyException}. */
  FAIL,
  /** Does not run, and returns null, an empty {@code Optional} or an empty {@code Mono}. */
  SKIP
}
