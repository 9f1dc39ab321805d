package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SemaphoreTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Locks locks = Locks.over(new MemoryLockBackend());
  private final Semaphore two = locks.semaphore("downloads", 2).waitUpTo(LONG);

  @AfterEach
  void close() {
    locks.close();
  }

  /** Waits until so many wait here: whoever is next waits once for each permit, everybody else once. */
  private void await(IntPredicate waiting) throws InterruptedException {
    while (!waiting.test(locks.waiting())) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void whoWaitsInOneProcessIsServedInTheOrderOfArrival() throws Exception {
    List<Lease> held = new ArrayList<>(List.of(two.acquire(), two.acquire()));
    List<Integer> served = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      waiters.add(two.runAsync(lease -> served.add(number)));
      // The first one waits for both permits, and each one after it for its turn.
      await(waiting -> waiting == 2 + number);
    }
    held.remove(0).close();
    for (CompletableFuture<Void> waiter : waiters) {
      waiter.get(1, TimeUnit.MINUTES);
    }
    assertThat(served).containsExactly(0, 1, 2, 3, 4);
    held.remove(0).close();
    assertThat(locks.isLocked("downloads#next")).isFalse();
  }

  @Test
  void whoGivesUpLeavesNothingBehind() throws Exception {
    List<Lease> held = List.of(two.acquire(), two.acquire());
    CompletableFuture<Lease> waiting = two.acquireAsync();
    await(number -> number == 2);
    waiting.cancel(true);
    await(number -> number == 0);
    held.forEach(Lease::close);
    assertThat(List.of(two.tryAcquire(), two.tryAcquire())).doesNotContain(Optional.empty());
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    List<Lease> held = List.of(two.acquire(), two.acquire());
    CompletableFuture<LockException.Code> ended = new CompletableFuture<>();
    Thread waiter = new Thread(() -> {
      try {
        two.acquire();
      } catch (LockException e) {
        ended.complete(e.code());
      }
    });
    waiter.start();
    await(number -> number == 2);
    waiter.interrupt();
    assertThat(ended.get(1, TimeUnit.MINUTES)).isEqualTo(LockException.Code.ABORTED);
    held.forEach(Lease::close);
    two.acquire().close();
  }

  @Test
  void aSemaphoreHasAtLeastOneAndNotTooManyPermits() {
    for (int wrong : new int[] {-1, 0, Semaphore.MOST_PERMITS + 1}) {
      assertThatThrownBy(() -> locks.semaphore("downloads", wrong))
          .isInstanceOf(LockException.class)
          .hasMessageContaining("1 to 64");
    }
  }

  @Test
  void noLockCanBeAskedToStayLongerThanItsTtl() {
    LockRequest request = locks.lock("job").ttl(LONG);
    assertThatThrownBy(() -> request.lockAtLeastFor(LONG.plusMillis(1)))
        .isInstanceOf(LockException.class);
    assertThatThrownBy(() -> request.lockAtLeastFor(LONG).ttl(LONG.minusMillis(1)))
        .isInstanceOf(LockException.class);
    assertThatThrownBy(() -> request.lockAtLeastFor(Duration.ofMillis(-1)))
        .isInstanceOf(LockException.class);
  }

  @Test
  void aHolderMayDecideAtTheEndHowLongTheLockStays() {
    ManualTime time = ManualTime.stopped();
    Locks timed = Locks.builder(new MemoryLockBackend(time))
        .time(time)
        .background(time.background())
        .build();
    Lease lease =
        timed.lock("job").ttl(LONG).lockAtLeastFor(Duration.ofSeconds(9)).acquire();
    assertThat(lease.releaseAfter(Duration.ofSeconds(20))).isTrue();
    assertThat(lease.isHeld()).isFalse();
    assertThat(timed.getByKey("job").orElseThrow().remaining()).isEqualTo(Duration.ofSeconds(20));
    assertThat(lease.releaseAfter(Duration.ZERO)).as("only the first counts").isFalse();

    time.advance(Duration.ofSeconds(22));
    Lease shorter =
        timed.lock("job").ttl(LONG).lockAtLeastFor(Duration.ofSeconds(9)).acquire();
    assertThat(shorter.releaseAfter(Duration.ofSeconds(-5))).isTrue();
    assertThat(timed.getByKey("job").orElseThrow().remaining())
        .as("what the request said still holds")
        .isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void aLockThatStaysEndsExactlyWhenAskedHoweverItsReleaseFails() {
    ManualTime time = ManualTime.stopped();
    TroubledBackend store = new TroubledBackend(new MemoryLockBackend(time));
    Locks timed = Locks.builder(store).time(time).background(time.background()).build();
    LockRequest job = timed.lock("job").ttl(LONG).lockAtLeastFor(Duration.ofSeconds(20));
    Lease lease = job.tryAcquire().orElseThrow();
    time.advance(Duration.ofSeconds(5));
    lease.release();
    assertThat(timed.getByKey("job").orElseThrow().remaining()).isEqualTo(Duration.ofSeconds(15));

    time.advance(Duration.ofSeconds(16));
    Lease failing = job.tryAcquire().orElseThrow();
    store.next(Call.EXTEND, TroubledBackend.requestLost(LockException.Code.SERVICE_UNAVAILABLE));
    assertThatThrownBy(failing::release).isInstanceOf(LockException.class);
    time.advance(Duration.ofSeconds(19));
    assertThat(timed.isLocked("job")).as("not too early").isTrue();
    time.advance(Duration.ofSeconds(2));
    assertThat(timed.isLocked("job")).as("nor at the end of the ttl").isFalse();

    Lease late = job.tryAcquire().orElseThrow();
    time.advance(Duration.ofSeconds(20));
    late.release();
    assertThat(timed.isLocked("job")).isFalse();
  }
}
