package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases as locks of {@code java.util.concurrent}: reentrant for a thread, renewed, and honest about a loss. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@SuppressWarnings("LockNotBeforeTry") // A test that fails need not unlock.
class LeaseLockTest {

  private static final Duration TTL = Duration.ofSeconds(30);

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final Locks otherProcess = process();
  private final LeaseLocks locks = new LeaseLocks(process(), TTL, Duration.ofHours(1), time);
  private final LeaseLock lock = locks.get("stock");

  private Locks process() {
    return Locks.builder(store).time(time).background(time.background()).build();
  }

  private boolean isFree() {
    return !otherProcess.isLocked("stock");
  }

  @Test
  void aThreadMayTakeItAgainAndGivesItBackAsOften() {
    lock.lock();
    assertThat(locks.get("stock").tryLock()).isTrue();
    lock.unlock();
    assertThat(isFree()).isFalse();
    lock.unlock();
    assertThat(isFree()).isTrue();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void anotherThreadCannotTakeItNorGiveItBack() {
    lock.lock();
    CompletableFuture.runAsync(() -> {
          assertThat(lock.tryLock()).isFalse();
          assertThat(lock.fence()).isEmpty();
          assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        })
        .join();
    lock.unlock();
  }

  @Test
  void whatAnotherProcessHoldsIsBusy() throws Exception {
    try (Lease lease = otherProcess.lock("stock").acquire()) {
      assertThat(lock.tryLock()).isFalse();
      assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
      assertThat(lease.isHeld()).isTrue();
    }
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
    assertThat(lock.fence()).contains(new Fence(2));
    lock.unlock();
  }

  @ParameterizedTest
  @EnumSource(TimeUnit.class)
  void whoeverWaitsForEverWritesTheLargestNumberThereIs(TimeUnit unit) throws Exception {
    assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock(Long.MIN_VALUE, unit)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock(ChronoUnit.FOREVER.getDuration(), TTL)).isTrue();
    lock.unlock();
  }

  @Test
  void itIsRenewedWhileItsThreadHoldsIt() {
    lock.lock();
    for (int i = 0; i < 20; i++) {
      time.advance(TTL.dividedBy(4));
    }
    assertThat(isFree()).isFalse();
    lock.unlock();
    assertThat(isFree()).isTrue();
  }

  @Test
  void itIsNotRenewedForLongerThanItWasAskedFor() throws Exception {
    assertThat(lock.tryLock(Duration.ZERO, TTL)).isTrue();
    time.advance(TTL.dividedBy(2));
    lock.renew(TTL);
    time.advance(TTL.dividedBy(2));
    time.advance(TTL.dividedBy(4));
    assertThat(isFree()).as("renewed by hand").isFalse();
    time.advance(TTL);
    assertThat(isFree()).isTrue();
    assertThatThrownBy(() -> lock.renew(TTL)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
  }

  @Test
  void aLossIsToldToWhoTakesItAgainAndToWhoGivesItBack() {
    lock.lock(TTL);
    time.advance(TTL.multipliedBy(2));
    Lease thief = otherProcess.lock("stock").acquire();
    assertThat(lock.tryLock()).isFalse();
    assertThatThrownBy(lock::lock).isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageNotContaining("stock");
    assertThat(thief.isHeld()).as("what somebody else holds is not touched").isTrue();
    thief.close();
    lock.lock();
    lock.unlock();
  }

  @Test
  void lockWaitsThroughInterruptsAndLockInterruptiblyDoesNot() throws Exception {
    Locks real = Locks.over(new MemoryLockBackend());
    LeaseLock waited = new LeaseLocks(real, TTL, TTL).get("stock");
    Lease other = real.lock("stock").acquire();
    AtomicBoolean stayedInterrupted = new AtomicBoolean();
    Thread patient = new Thread(() -> {
      waited.lock();
      stayedInterrupted.set(Thread.currentThread().isInterrupted());
      waited.unlock();
    });
    patient.start();
    Eventually.holds(() -> real.waiters().values().contains(1));
    patient.interrupt();
    other.close();
    patient.join();
    assertThat(stayedInterrupted).isTrue();

    Lease again = real.lock("stock").acquire();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread impatient = new Thread(() -> {
      try {
        waited.lockInterruptibly();
        interrupted.complete(false);
      } catch (InterruptedException e) {
        interrupted.complete(true);
      }
    });
    impatient.start();
    Eventually.holds(() -> real.waiters().values().contains(1));
    impatient.interrupt();
    assertThat(interrupted.join()).isTrue();
    again.close();
    assertThat(waited.tryLock()).as("nothing was left behind").isTrue();
    waited.unlock();
  }

  @Test
  void unusedOnesAreForgottenButNotThoseThatAreHeld() {
    locks.get("idle");
    lock.lock();
    time.advance(Duration.ofSeconds(20));
    locks.expireUnusedOlderThan(Duration.ofSeconds(10));
    assertThat(locks.size()).isEqualTo(1);
    assertThat(locks.get("stock")).isSameAs(lock);
    lock.unlock();
    locks.expireUnusedOlderThan(Duration.ofSeconds(10));
    assertThat(locks.size()).as("just used").isEqualTo(1);
    time.advance(Duration.ofSeconds(20));
    locks.expireUnusedOlderThan(Duration.ofSeconds(10));
    assertThat(locks.size()).isZero();
  }

  @Test
  void aGreatManyThatAreUsedCostEachOtherLittle() {
    AtomicLong asked = new AtomicLong();
    Time counting = new Time() {
      @Override
      public Instant now() {
        return time.now();
      }

      @Override
      public long nanos() {
        asked.incrementAndGet();
        return time.nanos();
      }

      @Override
      public Signal newSignal() {
        return time.newSignal();
      }
    };
    LeaseLocks many = new LeaseLocks(otherProcess, TTL, TTL, counting);
    int keys = 40_000;
    for (int i = 0; i < keys; i++) {
      many.get("file-" + i);
      assertThat(asked.get()).as("looks at one of them").isLessThan(10L * keys);
    }
    assertThat(many.size()).isEqualTo(keys);
    time.advance(Duration.ofMinutes(2));
    for (int i = 0; i < 3 * keys; i++) {
      many.get("other-" + i % keys);
    }
    assertThat(many.size()).as("the idle ones are forgotten").isEqualTo(keys);
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }
}
