package dev.syncguard.lock;

/** What is computed while a lock is held. */
@FunctionalInterface
public interface LockedFunction<H, T, X extends Exception> {
  T call(H held) throws X;
}
