package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The clocks of this machine. */
public final class SystemTime implements Time {
  public static final SystemTime INSTANCE = new SystemTime();

  private final BootTime bootTime = new BootTime(
      System::nanoTime, System::currentTimeMillis, BootTime::readUptime, SystemTime::warn);

  private SystemTime() {}

  /** Tells it elsewhere: whoever asks for the time may hold a lock, and a log's handler is somebody else's code. */
  private static void warn(String message) {
    System.Logger log = System.getLogger(SystemTime.class.getName());
    Thread telling =
        new Thread(() -> log.log(System.Logger.Level.WARNING, message), "syncguard-clock");
    telling.setDaemon(true);
    telling.start();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return bootTime.nanos();
  }

  @Override
  public Signal newSignal() {
    return new ParkingSignal();
  }

  private static final class ParkingSignal implements Signal {
    private final AtomicBoolean fired = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      long start = System.nanoTime();
      long limit = saturatedNanos(atMost);
      waiter = Thread.currentThread();
      try {
        while (!fired.getAndSet(false)) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          long left = limit - (System.nanoTime() - start);
          if (left <= 0) {
            return false;
          }
          LockSupport.parkNanos(this, left);
        }
        return true;
      } finally {
        waiter = null;
      }
    }

    @Override
    public void fire() {
      fired.set(true);
      LockSupport.unpark(waiter);
    }

    private static long saturatedNanos(Duration duration) {
      return duration.toSeconds() >= Long.MAX_VALUE / 1_000_000_000L - 1
          ? Long.MAX_VALUE
          : duration.toNanos();
    }
  }
}
