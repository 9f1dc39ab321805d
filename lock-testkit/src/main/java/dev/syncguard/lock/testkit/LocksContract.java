package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseGroup;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of {@link Locks} see is the same over every backend. */
public abstract class LocksContract extends Contract {

  private static final Duration LONG_WAIT = Duration.ofMinutes(2);

  private final List<Locks> opened = new ArrayList<>();
  private final List<LockException> releaseErrors = new CopyOnWriteArrayList<>();
  private Locks locks;

  @BeforeEach
  final void openLocks() {
    locks = over(backend);
  }

  @AfterEach
  final void closeLocks() {
    opened.forEach(Locks::close);
    assertThat(releaseErrors).as("releases that failed").isEmpty();
  }

  private Locks over(LockBackend target) {
    ReleaseErrorHandler handler = (error, failure) -> releaseErrors.add(error);
    return remember(Locks.builder(target).onReleaseError(handler).build());
  }

  private Locks remember(Locks made) {
    opened.add(made);
    return made;
  }

  @Test
  void workRunsUnderTheLockWithItsFence() {
    locks.lock("report").run(lease -> {
      assertThat(lease.fence()).isEqualTo(Fence.FIRST);
      assertThat(lease.isHeld()).isTrue();
      assertThat(isLocked("report")).isTrue();
    });
    assertFree("report");
  }

  @Test
  void theResultOfTheWorkIsReturned() {
    assertThat(locks
            .lock("report")
            .<Long, RuntimeException>call(lease -> lease.fence().value()))
        .isEqualTo(1);
    assertFree("report");
  }

  @Test
  void whatTheWorkThrowsComesThroughAndTheLockIsReleased() {
    assertThatThrownBy(() -> locks.lock("report").run(lease -> {
          throw new IOException("no paper");
        }))
        .isInstanceOf(IOException.class)
        .hasMessage("no paper");
    assertFree("report");
  }

  @Test
  void tryingGetsAFreeKeyAndNotATakenOne() {
    Optional<Lease> first = locks.lock("report").tryAcquire();
    assertThat(first).isPresent();
    assertThat(locks.lock("report").tryAcquire()).isEmpty();
    assertThat(over(open()).lock("report").tryAcquire()).isEmpty();
    first.get().close();
    assertFree("report");
  }

  @Test
  void whoWaitsInVainIsToldSo() {
    Grant holder = take("report");
    assertRefused(
        LockException.Code.ACQUISITION_TIMEOUT,
        () -> locks.lock("report").waitUpTo(Duration.ofMillis(50)).acquire());
    assertHeld(holder);
    release(holder);
    assertFree("report");
  }

  @Test
  void aWaiterGetsTheKeyWhenAnotherProcessReleasesIt() throws Exception {
    Lease held = over(open()).lock("report").acquire();
    RefusalWatch watched = new RefusalWatch(open());
    CompletableFuture<Lease> waiting =
        over(watched).lock("report").waitUpTo(LONG_WAIT).acquireAsync();
    watched.awaitRefusal();
    assertThat(waiting).isNotDone();
    held.close();
    Lease next = waiting.get(2, TimeUnit.MINUTES);
    assertThat(next.fence()).isGreaterThan(held.fence());
    next.close();
    assertFree("report");
  }

  @Test
  void noUpdateIsLostAmongThreadsAndProcesses() throws Exception {
    List<Locks> processes = List.of(locks, over(open()));
    List<Fence> order = new ArrayList<>();
    int[] counter = new int[1];
    Together.run(6, i -> {
      for (int round = 0; round < 8; round++) {
        processes.get(i % 2).lock("report").waitUpTo(LONG_WAIT).run(lease -> {
          int before = counter[0];
          order.add(lease.fence());
          LockSupport.parkNanos(1_000);
          counter[0] = before + 1;
        });
      }
      return i;
    });
    assertThat(counter[0]).isEqualTo(48);
    assertThat(order).hasSize(48).doesNotHaveDuplicates().isSorted();
    assertFree("report");
  }

  @Test
  void severalKeysAreTakenTogetherOrNotAtAll() {
    Grant taken = take("b");
    assertThat(locks.lockAll("a", "b", "c").tryAcquire()).isEmpty();
    assertFree("a");
    assertFree("c");
    release(taken);
    try (LeaseGroup group = locks.lockAll("c", "a", "b").acquire()) {
      assertThat(group.leases())
          .extracting(lease -> lease.key().value())
          .containsExactly("a", "b", "c");
      assertThat(isLocked("a") && isLocked("b") && isLocked("c")).isTrue();
    }
    assertFree("a");
    assertFree("b");
    assertFree("c");
  }

  @Test
  void whoeverTakesSeveralKeysInWhateverOrderNobodyDeadlocks() throws Exception {
    List<Locks> processes = List.of(locks, over(open()));
    Together.run(4, i -> {
      for (int round = 0; round < 5; round++) {
        String first = i % 2 == 0 ? "a" : "b";
        String second = i % 2 == 0 ? "b" : "a";
        processes
            .get(i / 2)
            .lockAll(first, second)
            .waitUpTo(LONG_WAIT)
            .acquire()
            .close();
      }
      return i;
    });
    assertFree("a");
    assertFree("b");
  }

  @Test
  void aLeaseIsExtendedReleasedAndThenOver() {
    Lease lease = locks.lock("report").ttl(LONG.duration()).acquire();
    assertThat(lease.extend(LONG.duration().multipliedBy(2))).isTrue();
    LockInfo info = locks.getById(lease.id().value()).orElseThrow();
    assertThat(info.expiresAt()).isEqualTo(lease.expiresAt());
    assertThat(lease.release()).isTrue();
    assertThat(lease.release()).isFalse();
    assertThat(lease.extend(LONG.duration())).isFalse();
    assertThat(lease.isHeld()).isFalse();
    lease.close();
    lease.close();
    assertFree("report");
  }

  @Test
  void aLeaseThatIsGoneIsClosedInSilence() {
    Lease lease = locks.lock("report").acquire();
    release(lease.id());
    Grant next = take("report");
    lease.close();
    assertHeld(next);
  }

  @Test
  void questionsAreAnsweredByKeyAndById() {
    Lease lease = locks.lock("report").acquire();
    assertThat(locks.isLocked("report")).isTrue();
    assertThat(locks.owns(lease.id().value())).isTrue();
    assertThat(locks.getByKey("report")).isPresent();
    assertThat(locks.getByKeyRaw("report").orElseThrow().lockId()).isEqualTo(lease.id());
    assertThat(locks.getByIdRaw(lease.id().value()).orElseThrow().key())
        .isEqualTo(LockKey.of("report"));
    lease.close();
    assertThat(locks.owns(lease.id().value())).isFalse();
    assertThat(locks.getByKey("report")).isEmpty();
  }

  @Test
  void aLeaseIsRenewedUntilItIsReleased() throws Exception {
    CountDownLatch renewals = new CountDownLatch(3);
    LockBackend counting = new ForwardingBackend(open()) {
      @Override
      public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
        ExtendResult result = super.extend(id, ttl, cancellation);
        renewals.countDown();
        return result;
      }
    };
    Duration ttl = Duration.ofMillis(1_500);
    Lease lease =
        over(counting).lock("report").ttl(ttl).autoExtend(Duration.ofMinutes(5)).acquire();
    assertThat(renewals.await(2, TimeUnit.MINUTES)).as("three renewals").isTrue();
    assertThat(lease.isHeld()).isTrue();
    assertThat(isLocked("report")).isTrue();
    lease.close();
    assertFree("report");
  }

  @Test
  void theHolderLearnsThatItsLeaseIsGone() throws Exception {
    Lease lease = locks
        .lock("report")
        .ttl(Duration.ofMillis(1_500))
        .autoExtend(Duration.ofMinutes(5))
        .acquire();
    CompletableFuture<Loss> lost = lease.whenLost().toCompletableFuture();
    release(lease.id());
    assertThat(lost.get(2, TimeUnit.MINUTES)).isNotNull();
    assertThat(lease.isHeld()).isFalse();
    lease.close();
  }

  @Test
  void aCancelledWaitLeavesNothingBehind() throws Exception {
    Grant holder = take("report");
    Cancellation cancellation = Cancellation.create();
    RefusalWatch watched = new RefusalWatch(open());
    CompletableFuture<Lease> waiting = over(watched)
        .lock("report")
        .waitUpTo(LONG_WAIT)
        .cancelWith(cancellation)
        .acquireAsync();
    watched.awaitRefusal();
    cancellation.cancel();
    assertThatThrownBy(() -> waiting.get(2, TimeUnit.MINUTES))
        .hasCauseInstanceOf(LockException.class);
    release(holder);
    assertFreeAtLast("report");
  }

  @Test
  void givingUpDuringTheWorkStillReleasesTheLock() {
    Cancellation cancellation = Cancellation.create();
    locks.lock("report").cancelWith(cancellation).run(lease -> cancellation.cancel());
    assertFree("report");
    locks.lock("report").run(lease -> Thread.currentThread().interrupt());
    assertThat(Thread.interrupted()).as("the interrupt flag afterwards").isTrue();
    assertFree("report");
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, 60})
  void aClockOfTheUserThatIsAnHourOffChangesNothing(int minutes) {
    Duration ttl = Duration.ofMinutes(10);
    Locks wrong = remember(
        Locks.builder(backend).time(new WrongClock(Duration.ofMinutes(minutes))).build());
    try (Lease lease = wrong.lock("report").ttl(ttl).acquire()) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), ttl);
      assertThat(locks.lock("report").tryAcquire()).isEmpty();
      assertThat(lease.extend(ttl.multipliedBy(2))).isTrue();
      assertThat(wrong.isLocked("report")).isTrue();
    }
    try (Lease lease = locks.lock("report").ttl(ttl).acquire()) {
      assertThat(lease.fence().value()).isEqualTo(2);
      assertThat(wrong.lock("report").tryAcquire()).isEmpty();
      assertThat(wrong.getByKey("report").orElseThrow().remaining())
          .isBetween(Duration.ofSeconds(1), ttl);
    }
  }

  /** A machine that does not know what time it is. */
  private record WrongClock(Duration by) implements Time {
    @Override
    public Instant now() {
      return Time.system().now().plus(by);
    }

    @Override
    public long nanos() {
      return Time.system().nanos();
    }

    @Override
    public Signal newSignal() {
      return Time.system().newSignal();
    }
  }

  @Test
  void interruptedCallersLeaveNothingBehind() throws Exception {
    List<Locks> processes = List.of(locks, over(open()));
    Together.run(4, i -> {
      for (int round = 0; round < 10; round++) {
        CompletableFuture<Void> interrupt =
            interruptSoon(Thread.currentThread(), (i * 7 + round * 3) % 5);
        try {
          processes
              .get(i % 2)
              .lock("report")
              .waitUpTo(LONG_WAIT)
              .run(lease -> LockSupport.parkNanos(1_000));
        } catch (LockException e) {
          assertThat(e.code()).isEqualTo(LockException.Code.ABORTED);
          assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(arrives(interrupt))
            .as("an interrupt stays to be seen, also if the driver swallows those it meets")
            .isTrue();
      }
      return i;
    });
    assertFreeAtLast("report");
  }

  private static CompletableFuture<Void> interruptSoon(Thread target, int millis) {
    return CompletableFuture.runAsync(
        target::interrupt, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }

  /** Returns whether the caller sees the interrupt once it was sent, and forgets it, so that the next round starts afresh. */
  private static boolean arrives(CompletableFuture<Void> interrupt) {
    while (!interrupt.isDone()) {
      Thread.onSpinWait();
    }
    return Thread.interrupted();
  }

  /** What was given up, a lease or a place in line, ends in the background; nobody has to wait for its ttl. */
  private void assertFreeAtLast(String key) throws Exception {
    AcquireResult result = attempt(key);
    for (int round = 0; round < 6_000 && result instanceof AcquireResult.Contended; round++) {
      TimeUnit.MILLISECONDS.sleep(10);
      result = attempt(key);
    }
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
  }
}
