package dev.syncguard.benchmarks.handoff;

/**
 * A way to do something while nobody else does it.
 *
 * <p>One that is to contend from other processes has a public constructor with the location of the store as its only
 * argument. Threads may share a contender.
 */
public interface Contender extends AutoCloseable {

  /** Waits for the lock, does the work while holding it, and gives it back. */
  void underLock(Runnable work) throws Exception;

  /** Does before the first contest what only has to be done once, as far as that is possible alone. */
  default void warmUp() throws Exception {}

  @Override
  void close();
}
