package dev.syncguard.lock.memory;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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

  /** Lets this much time pass, on the wall clock and on the monotonic one. */
  public synchronized void advance(Duration duration) {
    now = now.plus(duration);
    nanos += duration.toNanos();
    notifyAll();
  }

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
            advance(Duration.ofNanos(end - nanos));
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
