package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.handoff.Contender;

/**
 * A lock that is taken by key: that of a peer, one written by hand, or the bare round trips that no lock can do without.
 *
 * <p>Thread-safe.
 */
public interface KeyedLock extends Contender {

  /** The key of every contest. */
  String CONTESTED = "contested";

  /** How often the lock is taken before it is measured: enough for most of its code to be compiled. */
  int WARM_UPS = 1500;

  /** Takes the lock, does the work while holding it, and gives it back. */
  void underLock(String key, Runnable work) throws Exception;

  @Override
  default void underLock(Runnable work) throws Exception {
    underLock(CONTESTED, work);
  }

  @Override
  default void warmUp() throws Exception {
    String key = "warm-up-" + ProcessHandle.current().pid();
    for (int i = 0; i < WARM_UPS; i++) {
      underLock(key, () -> {});
    }
  }
}
