package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.handoff.Contender;

/**
 * A lock that is taken by key: that of a peer, one written by hand, or the bare round trips that no lock can do without.
 *
 * <p>Threads may share it.
 */
public interface KeyedLock extends Contender {

  /** Takes the lock, does the work while holding it, and gives it back. */
  void underLock(String key, Runnable work) throws Exception;

  @Override
  default void underLock(Runnable work) throws Exception {
    underLock("contested", work);
  }
}
