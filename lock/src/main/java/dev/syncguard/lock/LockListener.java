package dev.syncguard.lock;

/**
 * Learns of every request for a key and of what becomes of it: what metrics and traces are made of.
 *
 * <p>It is called on the threads that do the work, so that it sees whose work that is, and outside of all locks. It must
 * be quick, must not block, and is called by many threads at once; what it throws is dropped. {@link
 * dev.syncguard.lock.telemetry.Telemetry} tells of the single operations at the store instead, one thread later.
 */
@FunctionalInterface
public interface LockListener {

  /**
   * A request for one key begins, on the thread that makes it. Returns who learns how it goes on.
   *
   * <p>Several keys are several requests. A semaphore asks for its turn, and then for one permit after the other.
   *
   * @param backend the name of the backend, such as {@code sqlite}
   */
  LeaseListener requested(LockKey key, String backend);

  /**
   * Returns work that will run in the background for the thread that is here now, with whatever it should take along, such
   * as the current span. Called once for each asynchronous request.
   */
  default Runnable carry(Runnable work) {
    return work;
  }
}
