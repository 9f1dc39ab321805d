package dev.syncguard.lock;

/** What is computed while a lock is held. */
@FunctionalInterface
public interface LockedFunction<H, T, X extends Exception> {
  /** Computes a result while the lock is held; what it throws reaches the caller once the lock is released. */
  T call(H held) throws X;
}
