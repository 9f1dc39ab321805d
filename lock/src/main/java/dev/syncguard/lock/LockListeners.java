package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseWatch;
import java.util.ArrayList;
import java.util.List;

/** All who listen to one {@link Locks}, as one that never throws. Immutable. */
final class LockListeners {

  private final List<LockListener> listeners;
  private final String backend;
  private final Time time;

  LockListeners(List<LockListener> listeners, String backend, Time time) {
    this.listeners = List.copyOf(listeners);
    this.backend = backend;
    this.time = time;
  }

  /** Tells that a request begins, and returns what tells how it goes on. */
  LeaseWatch requested(LockKey key) {
    if (listeners.isEmpty()) {
      return LeaseWatch.NONE;
    }
    List<LeaseListener> interested = new ArrayList<>(listeners.size());
    for (LockListener listener : listeners) {
      try {
        interested.add(listener.requested(key, backend));
      } catch (RuntimeException | Error e) {
        // Nobody loses a lock because somebody who listens failed.
      }
    }
    return new LeaseWatch(interested, time);
  }

  /** Returns a background that takes along what the listeners want to have there. */
  Background carrying(Background background) {
    return listeners.isEmpty() ? background : (delay, work) -> background.after(delay, carry(work));
  }

  private Runnable carry(Runnable work) {
    Runnable carried = work;
    for (LockListener listener : listeners) {
      try {
        carried = listener.carry(carried);
      } catch (RuntimeException | Error e) {
        // Then it goes without.
      }
    }
    return carried;
  }
}
