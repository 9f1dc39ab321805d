package dev.syncguard.lock;

import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.Deadline;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Gives back whatever is held when locks are closed, a few leases at a time: each of them waits for the store in a thread
 * of its own, and there can be thousands.
 */
final class ReleaseAll {

  private static final int MOST_AT_ONCE = 16;
  private static final System.Logger log = System.getLogger(ReleaseAll.class.getName());

  private final Queue<Lease> ended;

  private ReleaseAll(List<Lease> ended) {
    this.ended = new ConcurrentLinkedQueue<>(ended);
  }

  /** Ends all leases at once, tells their holders, and tells the store. What is not done in time goes on in the background. */
  static void within(Deadline deadline, List<Lease> held, Background background) {
    List<Lease> ended = held.stream().filter(Lease::abort).toList();
    ReleaseAll all = new ReleaseAll(ended);
    for (int i = 0; i < Math.min(MOST_AT_ONCE, ended.size()); i++) {
      BackgroundWork.begin(background, all::work);
    }
    held.forEach(lease -> lease.closeWithin(deadline.left()));
  }

  private void work() {
    for (Lease next = ended.poll(); next != null; next = ended.poll()) {
      try {
        next.tellStore();
      } catch (RuntimeException | Error e) {
        // The others have to be given back all the same.
        log.log(
            System.Logger.Level.WARNING,
            "The release of a lease failed while locks were closed",
            e);
      }
    }
  }
}
