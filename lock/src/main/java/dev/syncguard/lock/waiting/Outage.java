package dev.syncguard.lock.waiting;

import org.jspecify.annotations.Nullable;

/**
 * Who finds out when a store that did not answer is back.
 *
 * <p>One waiter of the process, the scout, asks often, the others rarely: so an end is noticed soon, and a store that comes back
 * is not asked by everybody at once. When anybody is answered, all others ask. Guarded by the waiting room.
 */
final class Outage {

  private @Nullable Waiter scout;

  /** Returns whether a waiter who got no answer is the one to ask often. */
  boolean isScout(Waiter waiter) {
    if (scout == null || scout.left || !scout.isUnanswered()) {
      scout = waiter;
    }
    return scout == waiter;
  }

  /** Called when the store has answered somebody. */
  void isOver(WaitingQueues queues) {
    if (scout != null) {
      scout = null;
      queues.firstOfTroubled().forEach(Waiter::wake);
    }
  }
}
