package dev.syncguard.lock;

/** What is done while a lock is held. */
@FunctionalInterface
public interface LockedAction<X extends Exception> {
  void run(Lease lease) throws X;
}
