package dev.syncguard.lock;

/** What is done while a lock is held. */
@FunctionalInterface
public interface LockedAction<H, X extends Exception> {
  /** Does the work while the lock is held; what it throws reaches the caller once the lock is released. */
  void run(H held) throws X;
}
