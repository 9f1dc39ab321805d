package dev.syncguard.lock;

/** What is computed while a lock is held. */
@FunctionalInterface
public interface LockedFunction<T, X extends Exception> {
  T call(Lease lease) throws X;
}
