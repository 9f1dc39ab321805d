package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseRegistry;
import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.lease.PendingReleases;
import dev.syncguard.lock.lease.RememberedFences;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * What leases share, for tests that try the interleavings of threads: nothing happens because of a timeout.
 *
 * <p>Time passes only when it is told to. A wait ends only by its signal, so a waiter that was forgotten waits for ever.
 * Work for the background is done at once by whoever has it, or never if it is for later.
 */
final class UntimedServices implements Time {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  final RandomGenerator random = numbers::incrementAndGet;
  final MemoryLockBackend store = new MemoryLockBackend(this);

  LeaseServices leaseServices() {
    return new LeaseServices(
        store,
        this,
        UntimedServices::after,
        new PendingReleases(store, this, UntimedServices::after, random),
        new RememberedFences(10),
        new LeaseRegistry(),
        Optional.empty());
  }

  private static Background.Task after(Duration delay, Runnable work) {
    if (delay.isZero()) {
      work.run();
    }
    return () -> {};
  }

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public Instant now() {
    return Instant.ofEpochSecond(0, nanos());
  }

  @Override
  public Signal newSignal() {
    return new UntimedSignal();
  }

  private static final class UntimedSignal implements Signal {
    private boolean fired;

    @Override
    public synchronized boolean await(Duration atMost) throws InterruptedException {
      while (!fired && !atMost.isZero()) {
        wait();
      }
      boolean wasFired = fired;
      fired = false;
      return wasFired;
    }

    @Override
    public synchronized void fire() {
      fired = true;
      notifyAll();
    }
  }
}
