package dev.syncguard.lock.memory;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that a test sets, so that nobody has to sleep to let a lease end.
 *
 * <p>Time moves when {@link #advance} is called, and threads that wait wake up when their time has come. A clock from
 * {@link #skipping()} also moves by itself: whoever waits is taken straight to the end of the wait. Threads may share it.
 */
public final class ManualTime implements Time {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final boolean skips;
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

  /**
   * Lets this much time pass, on the wall clock and on the monotonic one. Work from {@link #background()} that is due by
   * then is done on the way, in order, on this thread.
   */
  public void advance(Duration duration) {
    long end = nanos() + duration.toNanos();
    for (Planned next = takeDue(end); next != null; next = takeDue(end)) {
      next.work.run();
    }
    synchronized (this) {
      moveTo(end);
    }
  }

  private synchronized @Nullable Planned takeDue(long end) {
    Planned next = plan.peek();
    if (next == null || next.atNanos > end) {
      return null;
    }
    moveTo(next.atNanos);
    return plan.remove();
  }

  private void moveTo(long to) {
    if (to > nanos) {
      now = now.plusNanos(to - nanos);
      nanos = to;
    }
    notifyAll();
  }

  /** Returns a background whose work is done by whoever advances this clock. */
  public Background background() {
    return (delay, work) -> {
      synchronized (this) {
        Planned task = new Planned(nanos + delay.toNanos(), planned++, work);
        plan.add(task);
        return () -> {
          synchronized (this) {
            plan.remove(task);
          }
        };
      }
    };
  }

  private record Planned(long atNanos, long number, Runnable work) {}

  /** Moves only the wall clock, as an administrator or a time server would. */
  public synchronized void jumpWallClock(Duration difference) {
    now = now.plus(difference);
  }

  /** Returns how long each wait so far was meant to last, in the order in which they began. */
  public synchronized List<Duration> waits() {
    return List.copyOf(waits);
  }

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public Signal newSignal() {
    return new ManualSignal();
  }

  private final class ManualSignal implements Signal {
    private boolean fired;

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      synchronized (ManualTime.this) {
        waits.add(atMost);
        long end = nanos + atMost.toNanos();
        while (!fired && nanos < end) {
          if (skips) {
            moveTo(end);
          } else {
            ManualTime.this.wait();
          }
        }
        boolean wasFired = fired;
        fired = false;
        return wasFired;
      }
    }

    @Override
    public void fire() {
      synchronized (ManualTime.this) {
        fired = true;
        ManualTime.this.notifyAll();
      }
    }
  }
}
