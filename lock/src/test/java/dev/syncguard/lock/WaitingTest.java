package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ABORTED;
import static dev.syncguard.lock.LockException.Code.ACQUISITION_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitingTest {

  private final TroubledBackend backend = new TroubledBackend(new MemoryLockBackend());
  private final Locks locks = Locks.over(backend);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
    locks.close();
  }

  private LockRequest report() {
    return locks.lock("report").waitUpTo(Duration.ofSeconds(30));
  }

  private void awaitWaiting(int waiters) throws InterruptedException {
    awaitWaiting(locks, waiters);
  }

  /** Waits until so many stand in line, the first of whom has been refused. */
  private void awaitWaiting(Locks where, int waiters) throws InterruptedException {
    while (where.waiting() < waiters || !backend.lastRefused()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void waitersGetTheKeyInTheOrderInWhichTheyCame() throws Exception {
    Lease first = report().acquire();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      waiters.add(threads.submit(() -> report().run(lease -> order.add(number))));
      awaitWaiting(i + 1);
    }
    first.release();
    for (Future<?> waiter : waiters) {
      waiter.get();
    }
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void aKeyIsHandedOverInsideTheProcessInOneCall() throws Exception {
    Lease first = report().acquire();
    Future<Lease> second = threads.submit(() -> report().acquire());
    awaitWaiting(1);
    Future<Lease> third = threads.submit(() -> report().acquire());
    awaitWaiting(2);
    backend.calls.clear();
    assertThat(first.release()).isTrue();
    assertThat(second.get().release()).isTrue();
    assertThat(third.get().fence()).isEqualTo(new Fence(3));
    assertThat(backend.calls).containsExactly(Call.TAKE_OVER, Call.TAKE_OVER);
  }

  @Test
  void afterARunOfHandOffsTheKeyIsFreeForOthers() throws Exception {
    Locks shortRuns = Locks.builder(backend).maxHandOffs(2).build();
    LockRequest request = shortRuns.lock("report").waitUpTo(Duration.ofSeconds(30));
    Lease first = request.acquire();
    List<Future<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiters.add(threads.submit(() -> request.run(lease -> {})));
      awaitWaiting(shortRuns, i + 1);
    }
    backend.calls.clear();
    first.release();
    for (Future<?> waiter : waiters) {
      waiter.get();
    }
    assertThat(backend.calls)
        .containsExactly(
            Call.TAKE_OVER,
            Call.TAKE_OVER,
            Call.RELEASE,
            Call.ACQUIRE,
            Call.TAKE_OVER,
            Call.RELEASE);
    shortRuns.close();
  }

  @Test
  void onlyOneWaiterOfAProcessTalksToTheStore() throws Exception {
    Lease first = report().acquire();
    List<Future<?>> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(threads.submit(() -> report().run(lease -> {})));
    }
    awaitWaiting(20);
    assertThat(Collections.frequency(backend.calls, Call.ACQUIRE)).isLessThanOrEqualTo(3);
    first.release();
    for (Future<?> waiter : waiters) {
      waiter.get();
    }
  }

  @Test
  void aHandOffWhoseReplyWasLostStillReachesTheWaiter() throws Exception {
    Lease first = report().acquire();
    Future<Lease> second = threads.submit(() -> report().acquire());
    awaitWaiting(1);
    backend.next(Call.TAKE_OVER, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(first::release).isInstanceOf(LockException.class);
    assertThat(second.get().fence()).isEqualTo(new Fence(2));
  }

  @Test
  void aHandOffThatNeverArrivedLeavesTheWaiterWaiting() throws Exception {
    Lease first = report().acquire();
    Future<Lease> second = threads.submit(() -> report().acquire());
    awaitWaiting(1);
    backend.next(Call.TAKE_OVER, TroubledBackend.requestLost(NETWORK_TIMEOUT));
    assertThatThrownBy(first::release).isInstanceOf(LockException.class);
    assertThat(second.get().fence()).isEqualTo(new Fence(2));
  }

  @Test
  void aWaiterThatGivesUpDuringAHandOffLeavesNothingBehind() throws Exception {
    Lease first = report().acquire();
    Cancellation cancellation = Cancellation.create();
    CountDownLatch gaveUp = new CountDownLatch(1);
    Future<Lease> second = threads.submit(() -> {
      try {
        return report().ttl(Duration.ofMinutes(5)).cancelWith(cancellation).acquire();
      } finally {
        gaveUp.countDown();
      }
    });
    awaitWaiting(1);
    backend.next(Call.TAKE_OVER, TroubledBackend.before(() -> {
      cancellation.cancel();
      assertThat(awaits(gaveUp, Duration.ofSeconds(30))).as("left meanwhile").isTrue();
    }));
    first.release();
    assertThatThrownBy(second::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .satisfies(WaitingTest::isAborted);
    report().run(lease -> assertThat(lease.fence()).isEqualTo(new Fence(3)));
  }

  /** A race of nanoseconds: while leaving had a gap, every few runs ended with a key that stayed locked. */
  @Test
  void aKeyIsNotHandedToAWaiterThatIsJustLeaving() throws Exception {
    Locks busy = Locks.builder(new MemoryLockBackend()).random(new Random()).build();
    LockRequest impatient = busy.lock("report").ttl(Duration.ofHours(1)).waitUpTo(Duration.ZERO);
    AtomicBoolean enough = new AtomicBoolean();
    Future<?> waiter = threads.submit(() -> {
      while (!enough.get()) {
        try {
          impatient.acquire().close();
        } catch (LockException e) {
          assertThat(e.code()).isEqualTo(ACQUISITION_TIMEOUT);
        }
      }
    });
    for (int i = 0; i < 300_000; i++) {
      impatient.tryAcquire().ifPresent(Lease::close);
    }
    enough.set(true);
    waiter.get();
    impatient.waitUpTo(Duration.ofSeconds(30)).run(lease -> {});
    busy.close();
  }

  private static boolean awaits(CountDownLatch latch, Duration atMost) {
    try {
      return latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void cancellingEndsTheWaitAtOnce() throws Exception {
    try (Lease held = report().acquire()) {
      Cancellation cancellation = Cancellation.create();
      Future<Lease> waiter =
          threads.submit(() -> report().cancelWith(cancellation).acquire());
      awaitWaiting(1);
      cancellation.cancel();
      assertThatThrownBy(waiter::get).cause().satisfies(WaitingTest::isAborted);
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void interruptingEndsTheWaitAtOnceAndStaysVisible() throws Exception {
    try (Lease held = report().acquire()) {
      AtomicBoolean stillInterrupted = new AtomicBoolean();
      Thread[] waiting = new Thread[1];
      CountDownLatch started = new CountDownLatch(1);
      Future<?> waiter = threads.submit(() -> {
        waiting[0] = Thread.currentThread();
        started.countDown();
        try {
          report().acquire();
        } finally {
          stillInterrupted.set(Thread.currentThread().isInterrupted());
        }
      });
      started.await();
      awaitWaiting(1);
      waiting[0].interrupt();
      assertThatThrownBy(waiter::get).cause().satisfies(WaitingTest::isAborted);
      assertThat(stillInterrupted).isTrue();
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void anInterruptedThreadDoesNotEvenAsk() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> report().acquire()).satisfies(WaitingTest::isAborted);
    assertThatThrownBy(() -> report().tryAcquire()).satisfies(WaitingTest::isAborted);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(backend.calls).isEmpty();
  }

  @Test
  void aWaiterBehindOneThatGaveUpMovesUp() throws Exception {
    Lease first = report().acquire();
    Cancellation cancellation = Cancellation.create();
    Future<Lease> second =
        threads.submit(() -> report().cancelWith(cancellation).acquire());
    awaitWaiting(1);
    Future<Lease> third = threads.submit(() -> report().acquire());
    awaitWaiting(2);
    cancellation.cancel();
    assertThatThrownBy(second::get).cause().satisfies(WaitingTest::isAborted);
    first.release();
    assertThat(third.get().isHeld()).isTrue();
  }

  @Test
  void aHolderThatDiesCostsItsLeaseAndTheLookAroundAtMost() throws Exception {
    // On a busy machine some of its grants come too late to be used, and take a fence each.
    Fence first = report().ttl(Duration.ofMillis(100)).acquire().fence();
    Future<Lease> second = threads.submit(() -> report().acquire());
    assertThat(second.get().fence()).isEqualTo(new Fence(first.value() + 1));
  }

  @Test
  void waitingTooLongEndsInATimeoutThatSaysSo() {
    try (Lease held = report().acquire()) {
      assertThatThrownBy(
              () -> locks.lock("report").waitUpTo(Duration.ofMillis(30)).acquire())
          .isInstanceOfSatisfying(LockException.class, e -> {
            assertThat(e.code()).isEqualTo(ACQUISITION_TIMEOUT);
            assertThat(e.isRetryable()).isTrue();
            assertThat(e).hasMessageContaining("30 ms").message().doesNotContain("report");
          });
      assertThat(held.isHeld()).isTrue();
    }
  }

  @Test
  void withNoTimeToWaitThereIsStillOneAttempt() {
    try (Lease lease = locks.lock("report").waitUpTo(Duration.ZERO).acquire()) {
      assertThat(lease.isHeld()).isTrue();
    }
  }

  private static void isAborted(Throwable error) {
    assertThat(error)
        .isInstanceOfSatisfying(LockException.class, e -> assertThat(e.code()).isEqualTo(ABORTED));
  }
}
