package dev.syncguard.lock.waiting;

import dev.syncguard.lock.Background;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Breaks requests off that a store does not answer although the time of their callers is up.
 *
 * <p>One look now and then serves all of them, since a timer for each would cost every acquisition. Thread-safe.
 */
public final class Overdue {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final Background background;
  private final Set<Waiter> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean planned = new AtomicBoolean();

  public Overdue(Background background) {
    this.background = background;
  }

  /** Notes that a request leaves for this waiter. */
  public void begin(Waiter waiter) {
    underWay.add(waiter);
    plan();
  }

  public void end(Waiter waiter) {
    underWay.remove(waiter);
  }

  private void plan() {
    if (planned.compareAndSet(false, true)) {
      try {
        background.after(BETWEEN_LOOKS, this::look);
      } catch (RuntimeException | Error e) {
        // Without a background the store's own timeouts have to do.
        planned.set(false);
      }
    }
  }

  private void look() {
    planned.set(false);
    for (Waiter waiter : underWay) {
      if (waiter.isOverdue()) {
        waiter.stop.cancel();
        waiter.nudge();
      }
    }
    if (!underWay.isEmpty()) {
      plan();
    }
  }
}
