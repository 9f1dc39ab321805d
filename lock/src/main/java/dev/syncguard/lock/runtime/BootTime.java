package dev.syncguard.lock.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A monotonic clock that goes on while the machine sleeps.
 *
 * <p>{@code System.nanoTime} stands still while a Linux machine is suspended, so that a lease would seem to last longer than
 * it does. The wall clock does not, but may be set; it only shows when to look at the clock that counts since boot, sleep
 * included. Where there is none, a wall clock that ran ahead is a warning: nobody can tell a sleep from a clock that was
 * set. A pause that no clock of the machine notices, such as that of a virtual machine, stays unnoticed here, too.
 *
 * <p>Thread-safe.
 */
public final class BootTime {

  private static final Path UPTIME = Path.of("/proc/uptime");

  /** Clocks drift and are read one after the other; what is shorter needs no attention. */
  private static final long NOTICEABLE_NANOS = Duration.ofMillis(50).toNanos();

  private static final long ALARMING_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier monotonicNanos;
  private final LongSupplier wallMillis;
  private final Supplier<OptionalLong> uptimeNanos;
  private final Consumer<String> warnings;
  private final ReentrantLock guard = new ReentrantLock();
  private final OptionalLong uptimeAhead;
  private volatile long wallAhead;
  private volatile long asleepNanos;

  public BootTime(
      LongSupplier monotonicNanos,
      LongSupplier wallMillis,
      Supplier<OptionalLong> uptimeNanos,
      Consumer<String> warnings) {
    this.monotonicNanos = monotonicNanos;
    this.wallMillis = wallMillis;
    this.uptimeNanos = uptimeNanos;
    this.warnings = warnings;
    this.uptimeAhead = uptimeAhead();
    this.wallAhead = wallAhead(monotonicNanos.getAsLong());
  }

  /** Returns a reading that has grown by all the time that has passed, awake or asleep. */
  public long nanos() {
    long monotonic = monotonicNanos.getAsLong();
    if (Math.abs(wallAhead(monotonic) - wallAhead) > NOTICEABLE_NANOS) {
      compareClocks();
    }
    return monotonic + asleepNanos;
  }

  private long wallAhead(long monotonic) {
    return wallMillis.getAsLong() * 1_000_000 - monotonic;
  }

  private OptionalLong uptimeAhead() {
    OptionalLong uptime = uptimeNanos.get();
    return uptime.isEmpty()
        ? uptime
        : OptionalLong.of(uptime.getAsLong() - monotonicNanos.getAsLong());
  }

  private void compareClocks() {
    guard.lock();
    try {
      long ahead = wallAhead(monotonicNanos.getAsLong());
      long jump = ahead - wallAhead;
      wallAhead = ahead;
      long asleep = sleptNanos();
      long slept = asleep - asleepNanos;
      if (slept > NOTICEABLE_NANOS) {
        asleepNanos = asleep;
        warnings.accept("The machine was asleep for about " + slept / 1_000_000
            + " ms. Leases that have ended meanwhile are reported lost");
      } else if (jump > ALARMING_NANOS) {
        warnings.accept("The wall clock ran ahead of the monotonic clock by " + jump / 1_000_000
            + " ms. If it was not set, the machine was paused in a way that cannot be measured,"
            + " and leases may have ended although they count as held");
      }
    } finally {
      guard.unlock();
    }
  }

  private long sleptNanos() {
    OptionalLong ahead = uptimeAhead.isEmpty() ? uptimeAhead : uptimeAhead();
    // Both readings may be off by the resolution of the clock; better too much than too little.
    return ahead.isEmpty() ? 0 : ahead.getAsLong() - uptimeAhead.getAsLong() + NOTICEABLE_NANOS / 2;
  }

  /** Returns the time since boot, if this machine tells it. */
  public static OptionalLong readUptime() {
    try {
      String seconds = Files.readString(UPTIME).split(" ", 2)[0];
      return OptionalLong.of((long) (Double.parseDouble(seconds) * 1e9));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }
}
