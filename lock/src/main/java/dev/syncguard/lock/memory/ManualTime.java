package dev.syncguard.lock.memory;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A clock that a test sets, so that nobody has to sleep to let a lease end.
 *
 * <p>Time moves when {@link #advance} is called, and threads that wait wake up when their time has come. A clock from
 * {@link #skipping()} also moves by itself: whoever waits is taken straight to the end of the wait. Thread-safe.
 */
public final class ManualTime implements Time {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final boolean skips;
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition changed = guard.newCondition();
  private final List<Duration> waits = new ArrayList<>();
  private final PriorityQueue<Planned> plan = new PriorityQueue<>(
      Comparator.comparingLong(Planned::atNanos).thenComparingLong(Planned::number));
  private long planned;
  private Instant now = START;
  private long nanos;

  private ManualTime(boolean skips) {
    this.skips = skips;
  }

  /** Returns a clock that only moves when it is told to. */
  public static ManualTime stopped() {
    return new ManualTime(false);
  }

  /** Returns a clock on which every wait is over at once and has taken exactly its time. */
  public static ManualTime skipping() {
    return new ManualTime(true);
  }

  private <T> T guarded(Supplier<T> action) {
    guard.lock();
    try {
      return action.get();
    } finally {
      guard.unlock();
    }
  }

  /**
   * Lets this much time pass, on the wall clock and on the monotonic one. Work from {@link #background()} that is due by
   * then is done on the way, in order, on this thread.
   */
  public void advance(Duration duration) {
    advanceTo(nanos() + duration.toNanos(), () -> false);
  }

  private void advanceTo(long end, BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      Optional<Planned> next = guarded(() -> takeDue(end));
      if (next.isEmpty()) {
        return;
      }
      next.get().work.run();
    }
  }

  /** Returns the next work that is due by then, and moves there; if there is none, moves to the end. */
  private Optional<Planned> takeDue(long end) {
    Planned next = plan.peek();
    boolean isDue = next != null && next.atNanos <= end;
    moveTo(isDue ? next.atNanos : end);
    return isDue ? Optional.of(plan.remove()) : Optional.empty();
  }

  private void moveTo(long to) {
    if (to > nanos) {
      now = now.plusNanos(to - nanos);
      nanos = to;
    }
    changed.signalAll();
  }

  /** Returns a background whose work is done by whoever advances this clock, or skips on it. */
  public Background background() {
    return (delay, work) -> guarded(() -> {
      Planned task = new Planned(nanos + delay.toNanos(), planned++, work);
      plan.add(task);
      return () -> guarded(() -> plan.remove(task));
    });
  }

  private record Planned(long atNanos, long number, Runnable work) {}

  /** Moves only the wall clock, as an administrator or a time server would. */
  public void jumpWallClock(Duration difference) {
    guarded(() -> now = now.plus(difference));
  }

  /** Returns how long each wait so far was meant to last, in the order in which they began. */
  public List<Duration> waits() {
    return guarded(() -> List.copyOf(waits));
  }

  @Override
  public Instant now() {
    return guarded(() -> now);
  }

  @Override
  public long nanos() {
    return guarded(() -> nanos);
  }

  @Override
  public Signal newSignal() {
    return new ManualSignal();
  }

  private final class ManualSignal implements Signal {
    private boolean fired;

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      guard.lockInterruptibly();
      try {
        waits.add(atMost);
        long end = nanos + atMost.toNanos();
        if (!skips) {
          while (!fired && nanos < end) {
            changed.await();
          }
          return takeFired();
        }
        if (fired) {
          return takeFired();
        }
        // Others may work while we skip, and what they do must not happen under our guard.
        guard.unlock();
        try {
          advanceTo(end, () -> guarded(() -> fired));
        } finally {
          guard.lock();
        }
        return takeFired();
      } finally {
        guard.unlock();
      }
    }

    private boolean takeFired() {
      boolean wasFired = fired;
      fired = false;
      return wasFired;
    }

    @Override
    public void fire() {
      guarded(() -> {
        fired = true;
        changed.signalAll();
        return fired;
      });
    }
  }
}
