package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static dev.syncguard.lock.TroubledBackend.before;
import static dev.syncguard.lock.TroubledBackend.requestLost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What those who listen to locks are told, and that they cannot disturb them. */
@Timeout(60)
class LockListenerTest {

  private static final Duration TTL = Duration.ofSeconds(9);

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final TroubledBackend backend = new TroubledBackend(store);
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final Locks locks = builder().listener(this::requested).build();

  private Locks.Builder builder() {
    return Locks.builder(backend).time(time).background(time.background());
  }

  private LeaseListener requested(LockKey key, String name) {
    told.add("requested " + key.value() + " of " + name);
    return new LeaseListener() {
      @Override
      public void granted(Fence fence, Duration waited, boolean handedOff) {
        told.add("granted " + fence.value() + " after " + waited + (handedOff ? ", by hand" : ""));
      }

      @Override
      public void busy(Duration waited) {
        told.add("busy for " + waited);
      }

      @Override
      public void failed(LockException.Code code, Duration waited) {
        told.add("failed with " + code + " after " + waited);
      }

      @Override
      public void renewed(Renewal renewal) {
        told.add("renewed " + renewal);
      }

      @Override
      public void released(Duration held) {
        told.add("released after " + held);
      }

      @Override
      public void lost(Loss reason, Duration held) {
        told.add("lost " + reason + " after " + held);
      }
    };
  }

  private Lease take(String key) {
    return locks.lock(key).ttl(TTL).tryAcquire().orElseThrow();
  }

  @Test
  void aLeaseIsToldFromItsRequestToItsRelease() {
    Lease lease = take("report");
    time.advance(Duration.ofSeconds(2));
    lease.close();
    lease.close();
    assertThat(told)
        .containsExactly(
            "requested report of memory", "granted 1 after PT0S", "released after PT2S");
  }

  @Test
  void aKeyThatSomebodyElseHoldsIsBusy() {
    take("report");
    told.clear();
    assertThat(locks.lock("report").tryAcquire()).isEmpty();
    assertThat(told).containsExactly("requested report of memory", "busy for PT0S");
  }

  @Test
  void aWaitThatEndsAtItsLimitIsBusyForAsLong() {
    ManualTime skipping = ManualTime.skipping();
    Locks waiting = Locks.builder(new MemoryLockBackend(skipping))
        .time(skipping)
        .listener(this::requested)
        .build();
    waiting.lock("report").ttl(Duration.ofHours(1)).acquire();
    told.clear();
    assertThatThrownBy(
            () -> waiting.lock("report").waitUpTo(Duration.ofSeconds(7)).acquire())
        .isInstanceOf(LockException.class);
    assertThat(told).containsExactly("requested report of memory", "busy for PT7S");
  }

  @Test
  void aStoreThatFailsIsToldByItsCode() {
    backend.next(Call.ACQUIRE, requestLost(SERVICE_UNAVAILABLE));
    assertThatThrownBy(() -> locks.lock("report").tryAcquire()).isInstanceOf(LockException.class);
    assertThat(told)
        .containsExactly(
            "requested report of memory", "failed with SERVICE_UNAVAILABLE after PT0S");
  }

  @Test
  void aLossIsToldWhenItHappensAlthoughNobodyLooks() {
    take("report");
    told.clear();
    time.advance(TTL.minusMillis(1));
    assertThat(told).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(told).containsExactly("lost RAN_OUT after PT9S");
  }

  @Test
  void aReleaseThatComesTooLateIsALoss() {
    // Nobody watches here, as if the machine had been too busy to.
    Locks unwatched = Locks.builder(backend)
        .time(time)
        .background((delay, work) -> () -> {})
        .listener(this::requested)
        .build();
    Lease lease = unwatched.lock("report").ttl(TTL).tryAcquire().orElseThrow();
    told.clear();
    time.advance(TTL);
    lease.close();
    assertThat(told).containsExactly("lost RAN_OUT after PT9S");
  }

  @Test
  void aLeaseThatWasLostIsNotReleasedOnceMore() {
    Lease lease = take("report");
    locks.forceRelease("report");
    lease.close();
    assertThat(told.subList(2, told.size())).containsExactly("lost GONE after PT0S");
  }

  @Test
  void closingTheLocksIsTheReasonOfTheLossesThatItCauses() {
    Locks real =
        Locks.builder(new MemoryLockBackend()).listener(this::requested).build();
    real.lock("report").acquire();
    real.close();
    assertThat(told.get(2)).startsWith("lost CLOSED after");
    assertThatThrownBy(() -> real.lock("report").tryAcquire()).isInstanceOf(LockException.class);
    assertThat(told.get(4)).startsWith("failed with INTERNAL after");
    assertThat(told).hasSize(5);
  }

  /** A renewal is sent when six of the nine seconds are left, and has three of them to spare. */
  @ParameterizedTest
  @CsvSource({"0, IN_TIME", "3000, IN_TIME", "3001, LATE", "5999, LATE"})
  void renewalsAreInTimeUnlessTheStoreOrTheMachineIsSlow(long millis, String renewal) {
    Lease lease = locks
        .lock("report")
        .ttl(TTL)
        .autoExtend(Duration.ofHours(1))
        .tryAcquire()
        .orElseThrow();
    told.clear();
    backend.next(Call.EXTEND, before(() -> time.advance(Duration.ofMillis(millis))));
    time.advance(Duration.ofSeconds(3));
    assertThat(told).first().isEqualTo("renewed " + renewal);
    lease.close();
  }

  @Test
  void aRenewalThatFailsIsToldAndTriedAgain() {
    Lease lease = locks
        .lock("report")
        .ttl(TTL)
        .autoExtend(Duration.ofHours(1))
        .tryAcquire()
        .orElseThrow();
    told.clear();
    backend.next(Call.EXTEND, requestLost(SERVICE_UNAVAILABLE));
    time.advance(Duration.ofSeconds(3));
    assertThat(told).containsExactly("renewed FAILED");
    lease.close();
  }

  @Test
  void aHandOffInsideTheProcessIsToldToWhoeverGetsTheKey() throws Exception {
    Locks real =
        Locks.builder(new MemoryLockBackend()).listener(this::requested).build();
    Lease first = real.lock("report").acquire();
    CountDownLatch done = new CountDownLatch(1);
    Thread waiter = new Thread(() -> {
      real.lock("report").waitUpTo(Duration.ofMinutes(1)).run(lease -> {});
      done.countDown();
    });
    waiter.start();
    while (real.waiting() == 0) {
      Thread.onSpinWait();
    }
    first.close();
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(told).anyMatch(line -> line.matches("granted 2 after PT.*, by hand"));
    assertThat(told).filteredOn(line -> line.startsWith("released")).hasSize(2);
  }

  @Test
  void oneThatThrowsDisturbsNeitherTheLockNorTheNextListener() {
    LeaseListener broken = new LeaseListener() {
      @Override
      public void granted(Fence fence, Duration waited, boolean handedOff) {
        throw new AssertionError("planted");
      }

      @Override
      public void released(Duration held) {
        throw new IllegalStateException("planted");
      }
    };
    Locks disturbed = builder()
        .listener((key, name) -> {
          throw new IllegalStateException("planted");
        })
        .listener((key, name) -> broken)
        .listener(this::requested)
        .build();
    Optional<Lease> lease = disturbed.lock("report").tryAcquire();
    assertThat(lease.orElseThrow().release()).isTrue();
    assertThat(told)
        .containsExactly(
            "requested report of memory", "granted 1 after PT0S", "released after PT0S");
  }

  @Test
  void asynchronousRequestsTakeAlongWhatTheirThreadHas() {
    ThreadLocal<String> context = new ThreadLocal<>();
    Locks carrying = Locks.builder(new MemoryLockBackend())
        .listener(new LockListener() {
          @Override
          public LeaseListener requested(LockKey key, String name) {
            told.add("requested by " + context.get());
            return LeaseListener.NONE;
          }

          @Override
          public Runnable carry(Runnable work) {
            String mine = context.get();
            return () -> {
              context.set(mine);
              work.run();
            };
          }
        })
        .build();
    context.set("the caller");
    carrying
        .lock("report")
        .runAsync(lease -> told.add("run by " + context.get()))
        .join();
    assertThat(told).containsExactly("requested by the caller", "run by the caller");
  }
}
