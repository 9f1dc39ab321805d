package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockListener;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** An application to which everything that can happen to locks happens once. */
final class BusyDay {

  static final Duration TTL = Duration.ofSeconds(9);

  private final ManualTime time = ManualTime.stopped();
  private final TroubledStore store = new TroubledStore(new MemoryLockBackend(time));
  private final LockBackend backend;
  private final LockListener listener;

  BusyDay(UnaryOperator<LockBackend> over, LockListener listener) {
    this.backend = over.apply(store);
    this.listener = listener;
  }

  private Locks.Builder locks() {
    return Locks.builder(backend).listener(listener);
  }

  /** Two requests are granted, of which one is lost; one is busy, one fails. */
  void requests() {
    Locks locks = locks().time(time).background(time.background()).build();
    Lease report = locks.lock("report").ttl(TTL).tryAcquire().orElseThrow();
    locks.lock("report").tryAcquire().ifPresent(Lease::close);
    time.advance(Duration.ofSeconds(2));
    report.close();
    store.failNext();
    try {
      locks.lock("report").tryAcquire();
    } catch (LockException expected) {
      // That is the one.
    }
    Lease forgotten = locks.lock("forgotten").ttl(TTL).tryAcquire().orElseThrow();
    time.advance(TTL);
    forgotten.close();
  }

  /** One renewal is in time, one late, one fails; then the lease is taken away. */
  void renewals() {
    Locks locks = locks().time(time).background(time.background()).build();
    Lease lease = locks
        .lock("nightly")
        .ttl(TTL)
        .autoExtend(Duration.ofHours(1))
        .tryAcquire()
        .orElseThrow();
    Duration untilRenewal = TTL.dividedBy(3);
    time.advance(untilRenewal);
    store.next(() -> time.advance(TTL.dividedBy(2)));
    time.advance(untilRenewal);
    // Whatever was left of the pause before the next one.
    time.advance(Duration.ofMillis(1));
    store.failNext();
    time.advance(untilRenewal);
    locks.forceRelease("nightly");
    lease.close();
  }

  /** A key goes from one thread to the other, and what is still held at the end is lost by closing. */
  void handOff() {
    AtomicBoolean handedOff = new AtomicBoolean();
    LeaseListener noting = new LeaseListener() {
      @Override
      public void granted(Fence fence, Duration waited, boolean byHand) {
        handedOff.compareAndSet(false, byHand);
      }
    };
    try (Locks locks = locks().listener((key, name) -> noting).build()) {
      Runnable worker = () -> {
        while (!handedOff.get()) {
          locks.lock("account").waitUpTo(Duration.ofMinutes(1)).run(lease -> {});
        }
      };
      CompletableFuture<Void> rival = CompletableFuture.runAsync(worker);
      worker.run();
      rival.join();
      locks.lock("kept").acquire();
    }
  }
}
