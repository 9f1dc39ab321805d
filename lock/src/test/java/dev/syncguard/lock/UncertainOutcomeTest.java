package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.AUTH_FAILED;
import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What happens when nobody can say whether the store did what it was asked for. */
class UncertainOutcomeTest {

  private final ManualTime time = ManualTime.skipping();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final TroubledBackend backend = new TroubledBackend(store);
  private final List<ReleaseErrorHandler.Source> reported = new ArrayList<>();
  private final Locks locks = Locks.builder(backend)
      .time(time)
      .background(time.background())
      .onReleaseError((error, failure) -> reported.add(failure.source()))
      .build();

  private long attempts() {
    return Collections.frequency(backend.calls, Call.ACQUIRE);
  }

  private void doBackgroundWork() {
    time.advance(Duration.ZERO);
  }

  @Test
  void aGrantWhoseReplyWasLostIsRecognisedAsOurs() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    Lease lease = locks.lock("report").acquire();
    assertThat(attempts()).isEqualTo(2);
    assertThat(lease.fence()).isEqualTo(Fence.FIRST);
  }

  @Test
  void suchAGrantCountsFromWhenTheStoreMadeIt() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    Lease lease = locks.lock("report").ttl(Duration.ofSeconds(10)).acquire();
    Duration stored = locks.getByKey("report").orElseThrow().remaining();
    assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(10)).isEqualTo(stored);
  }

  @Test
  void aSingleAttemptOfUnknownOutcomeIsGivenBackInTheBackground() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> locks.lock("report").tryAcquire())
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(NETWORK_TIMEOUT));
    assertThat(locks.isLocked("report")).isTrue();
    doBackgroundWork();
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aRequestThatArrivesAfterItsCallerLeftIsGivenBackAsWell() {
    LockKey key = LockKey.of("report");
    List<LockId> late = new ArrayList<>();
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    backend.next(Call.RELEASE, TroubledBackend.after(() -> {
      // The acquisition overtakes nothing: it is applied only after this first release has found
      // nothing.
      store.lookupRaw(new LockQuery.ByKey(key), Cancellation.none()).ifPresent(info -> {
        late.add(info.lockId());
        store.release(info.lockId(), Cancellation.none());
      });
    }));
    assertThatThrownBy(() -> locks.lock("report").tryAcquire()).isInstanceOf(LockException.class);
    doBackgroundWork();
    store.acquire(key, late.get(0), Ttl.ofMillis(30_000), Cancellation.none());
    time.advance(Duration.ofSeconds(1));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aStoreThatStaysAwayIsAskedUntilTheLeaseWouldHaveEndedAndThenReported() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    for (int i = 0; i < 1_000; i++) {
      backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
    assertThatThrownBy(() -> locks.lock("report").ttl(Duration.ofSeconds(10)).tryAcquire())
        .isInstanceOf(LockException.class);
    time.advance(Duration.ofSeconds(60));
    assertThat(Collections.frequency(backend.calls, Call.RELEASE)).isBetween(20, 60);
    assertThat(reported).containsExactly(ReleaseErrorHandler.Source.ABANDONED_ACQUIRE);
  }

  @Test
  void aGrantThatWasGivenBackIsNotReportedWhenTheStoreGoesAwayAfterwards() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> locks.lock("report").ttl(Duration.ofSeconds(10)).tryAcquire())
        .isInstanceOf(LockException.class);
    doBackgroundWork();
    assertThat(locks.isLocked("report")).isFalse();
    for (int i = 0; i < 1_000; i++) {
      backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
    time.advance(Duration.ofSeconds(60));
    assertThat(Collections.frequency(backend.calls, Call.RELEASE)).isGreaterThan(1);
    assertThat(reported).isEmpty();
  }

  @Test
  void onlyAFewGrantsAreGivenBackAtOnceHoweverManyWereLost() {
    List<Runnable> handedOver = new ArrayList<>();
    Locks busy = Locks.builder(backend)
        .background((delay, work) -> {
          handedOver.add(work);
          return () -> {};
        })
        .build();
    for (int i = 0; i < 100; i++) {
      backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
      String key = "key-" + i;
      assertThatThrownBy(() -> busy.lock(key).tryAcquire()).isInstanceOf(LockException.class);
    }
    assertThat(handedOver).hasSize(4);
    handedOver.get(0).run();
    assertThat(IntStream.range(0, 100)).noneMatch(i -> busy.isLocked("key-" + i));
  }

  @Test
  void aWaitThatEndsWithAnUnknownOutcomeIsGivenBackInTheBackground() {
    for (int i = 0; i < 100; i++) {
      backend.next(Call.ACQUIRE, TroubledBackend.replyLost(SERVICE_UNAVAILABLE));
    }
    assertThatThrownBy(() -> locks.lock("report").acquire()).isInstanceOf(LockException.class);
    assertThat(locks.isLocked("report")).isTrue();
    doBackgroundWork();
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aHandOffOfUnknownOutcomeIsCountedFromItsOwnRequest() throws Exception {
    ManualTime stopped = ManualTime.stopped();
    TroubledBackend shared = new TroubledBackend(new MemoryLockBackend(stopped));
    Locks sharedLocks =
        Locks.builder(shared).time(stopped).background(stopped.background()).build();
    Lease first = sharedLocks.lock("report").acquire();
    CompletableFuture<Lease> second = new CompletableFuture<>();
    Thread waiter = new Thread(() ->
        second.complete(sharedLocks.lock("report").ttl(Duration.ofSeconds(10)).acquire()));
    waiter.start();
    while (stopped.waits().isEmpty()) {
      Thread.onSpinWait();
    }
    shared.next(Call.TAKE_OVER, TroubledBackend.before(() -> {
      stopped.advance(Duration.ofSeconds(3));
      throw new LockException(NETWORK_TIMEOUT, "lost on its way back");
    }));
    assertThatThrownBy(first::release).isInstanceOf(LockException.class);
    assertThat(second.get().remaining()).isEqualTo(Duration.ofSeconds(7));
    waiter.join();
  }

  /** Releases a lease for which somebody of this process waits, and returns what the caller is told. */
  private static boolean releaseToWaiter(TroubledBackend.Trouble handOff) throws Exception {
    ManualTime stopped = ManualTime.stopped();
    TroubledBackend shared = new TroubledBackend(new MemoryLockBackend(stopped));
    Locks sharedLocks =
        Locks.builder(shared).time(stopped).background(stopped.background()).build();
    Lease first = sharedLocks.lock("report").acquire();
    CompletableFuture<Lease> second = new CompletableFuture<>();
    Thread waiter = new Thread(() -> second.complete(sharedLocks.lock("report").acquire()));
    waiter.setDaemon(true);
    waiter.start();
    while (stopped.waits().isEmpty()) {
      Thread.onSpinWait();
    }
    shared.next(Call.TAKE_OVER, handOff);
    boolean released = first.release();
    assertThat(second.get().isHeld()).isTrue();
    waiter.join();
    return released;
  }

  @Test
  void aStoreThatHasNoRoomForTheNextLeaseStillEndsThisOne() throws Exception {
    assertThat(releaseToWaiter(TroubledBackend.requestLost(SERVICE_UNAVAILABLE)))
        .isTrue();
  }

  @Test
  void whatBecameOfAHandOffIsNotGuessed() {
    assertThatThrownBy(() -> releaseToWaiter(TroubledBackend.replyLost(SERVICE_UNAVAILABLE)))
        .isInstanceOf(LockException.class);
  }

  @Test
  void aStoreThatRefusesUsIsNotAskedAgain() {
    backend.next(Call.ACQUIRE, TroubledBackend.requestLost(AUTH_FAILED));
    assertThatThrownBy(() -> locks.lock("report").acquire()).isInstanceOf(LockException.class);
    doBackgroundWork();
    assertThat(backend.calls).containsExactly(Call.ACQUIRE);
  }

  @Test
  void aGrantThatTookLongerThanItsTtlIsNotHandedOut() {
    Duration ttl = Duration.ofSeconds(1);
    backend.next(Call.ACQUIRE, TroubledBackend.before(() -> time.advance(Duration.ofSeconds(2))));
    Lease lease = locks.lock("report").ttl(ttl).acquire();
    assertThat(attempts()).isEqualTo(2);
    assertThat(lease.remaining()).isEqualTo(ttl);
    assertThat(lease.fence()).isEqualTo(new Fence(2));

    backend.next(Call.ACQUIRE, TroubledBackend.before(() -> time.advance(Duration.ofSeconds(2))));
    assertThatThrownBy(() -> locks.lock("other").ttl(ttl).tryAcquire())
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(NETWORK_TIMEOUT));
    doBackgroundWork();
    assertThat(locks.isLocked("other")).isFalse();
  }

  @Test
  void anErrorAfterTheGrantLeavesNoLockBehind() {
    for (Executable acquire : List.<Executable>of(
        () -> locks.lock("report").tryAcquire(), () -> locks.lock("report").acquire())) {
      backend.next(Call.ACQUIRE, TroubledBackend.before(UncertainOutcomeTest::overflow));
      assertThatThrownBy(acquire::execute).isInstanceOf(StackOverflowError.class);
      assertThat(locks.isLocked("report")).isTrue();
      doBackgroundWork();
      assertThat(locks.isLocked("report")).isFalse();
    }
  }

  @Test
  void anErrorInOneReleaseDoesNotKeepOthersFromBeingGivenBack() {
    for (int i = 0; i < 10; i++) {
      backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
      backend.next(Call.RELEASE, TroubledBackend.after(UncertainOutcomeTest::overflow));
      String key = "key-" + i;
      assertThatThrownBy(() -> locks.lock(key).tryAcquire()).isInstanceOf(LockException.class);
    }
    time.advance(Duration.ofSeconds(10));
    assertThat(IntStream.range(0, 10)).noneMatch(i -> locks.isLocked("key-" + i));
  }

  private static void overflow() {
    throw new StackOverflowError();
  }
}
