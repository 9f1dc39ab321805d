package dev.syncguard.lock;

/** What is done while a lock is held. */
@FunctionalInterface
public interface LockedAction<H, X extends Exception> {
  void run(H held) throws X;
}
