package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ABORTED;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final TroubledBackend backend = new TroubledBackend(store);
  private final List<String> reported = Collections.synchronizedList(new ArrayList<>());
  private final ReleaseErrorHandler reporting =
      (error, failure) -> reported.add(error.code() + " " + failure.source());
  private final Locks locks = Locks.builder(backend)
      .time(time)
      .background(time.background())
      .onReleaseError(reporting)
      .build();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private Lease take(String key) {
    return locks.lock(key).ttl(TTL).tryAcquire().orElseThrow();
  }

  @Test
  void aReleaseEndsTheLeaseOnce() {
    Lease lease = take("report");
    assertThat(lease.release()).isTrue();
    assertThat(lease.release()).isFalse();
    lease.close();
    assertThat(backend.calls).containsExactly(Call.ACQUIRE, Call.RELEASE);
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aReleaseThatFailsIsToldToItsCallerAndNotTriedAgainByAnotherCall() {
    Lease lease = take("report");
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    assertThatThrownBy(lease::release).isInstanceOf(LockException.class);
    lease.close();
    assertThat(lease.release()).isFalse();
    assertThat(backend.calls).containsExactly(Call.ACQUIRE, Call.RELEASE);
    assertThat(reported).isEmpty();
  }

  @Test
  void closingNeverThrowsButTellsTheHandler() {
    Lease lease = take("report");
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    lease.close();
    lease.close();
    assertThat(reported).containsExactly("SERVICE_UNAVAILABLE CLOSE");
  }

  @Test
  void aRequestMayHaveAHandlerOfItsOwn() {
    List<ReleaseErrorHandler.Failure> heard = new ArrayList<>();
    Lease lease = locks
        .lock("report")
        .onReleaseError((error, failure) -> heard.add(failure))
        .tryAcquire()
        .orElseThrow();
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    lease.close();
    assertThat(heard)
        .containsExactly(new ReleaseErrorHandler.Failure(
            lease.key(), lease.id(), ReleaseErrorHandler.Source.CLOSE));
    assertThat(reported).isEmpty();
  }

  @Test
  void aHandlerThatThrowsDoesNotReachTheCaller() {
    Lease lease = locks
        .lock("report")
        .onReleaseError((error, failure) -> {
          throw new IllegalStateException("the handler itself is broken");
        })
        .tryAcquire()
        .orElseThrow();
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    lease.close();
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void aHandlerMayCloseTheLeaseOnceMore() throws Exception {
    List<Lease> closedAgain = new ArrayList<>();
    Lease lease = locks
        .lock("report")
        .onReleaseError((error, failure) -> closedAgain.forEach(Lease::close))
        .tryAcquire()
        .orElseThrow();
    closedAgain.add(lease);
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    threads.submit(lease::close).get(60, TimeUnit.SECONDS);
    assertThat(backend.calls).containsExactly(Call.ACQUIRE, Call.RELEASE);
  }

  @Test
  void whatABackendShouldNotThrowReachesTheCallerAsALockException() {
    Lease lease = take("report");
    backend.next(Call.EXTEND, TroubledBackend.after(LeaseTest::fail));
    assertThatThrownBy(() -> lease.extend(TTL)).isInstanceOf(LockException.class);
    backend.next(Call.RELEASE, TroubledBackend.after(LeaseTest::fail));
    assertThatThrownBy(lease::release).isInstanceOf(LockException.class);
  }

  private static void fail() {
    throw new IllegalStateException("the backend is broken");
  }

  @Test
  void aLeaseThatHasEndedByItselfIsClosedSilently() {
    Lease lease = take("report");
    time.advance(TTL.plusSeconds(1));
    lease.close();
    assertThat(reported).isEmpty();
  }

  @Test
  void anInterruptedThreadStillReleases() {
    Lease lease = take("report");
    Thread.currentThread().interrupt();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aThreadThatIsInterruptedWhileItReleasesReleasesAllTheSame() {
    for (TroubledBackend.Trouble trouble : List.of(
        TroubledBackend.after(LeaseTest::breakOff), TroubledBackend.before(LeaseTest::breakOff))) {
      Lease lease = take("report");
      backend.next(Call.RELEASE, trouble);
      lease.close();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(locks.isLocked("report")).isFalse();
      assertThat(reported).isEmpty();
    }
  }

  private static void breakOff() {
    Thread.currentThread().interrupt();
    throw new LockException(ABORTED, "interrupted");
  }

  @Test
  void aLeaseThatWasReleasedIsNotExtended() {
    Lease lease = take("report");
    lease.release();
    assertThat(lease.extend(TTL)).isFalse();
    assertThat(backend.calls).containsExactly(Call.ACQUIRE, Call.RELEASE);
  }

  @Test
  void anExtensionCanBeGivenUp() {
    Lease lease = take("report");
    Cancellation cancellation = Cancellation.create();
    cancellation.cancel();
    assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(1), cancellation))
        .isInstanceOfSatisfying(LockException.class, e -> assertThat(e.code()).isEqualTo(ABORTED));
    assertThat(store.lookup(new LockQuery.ById(lease.id()), Cancellation.none()).orElseThrow())
        .satisfies(info -> assertThat(info.remaining()).isEqualTo(TTL));
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void theTimeThatIsLeftCountsFromBeforeTheRequest() {
    backend.next(Call.ACQUIRE, TroubledBackend.after(() -> time.advance(Duration.ofSeconds(3))));
    Lease lease = take("report");
    assertThat(lease.remaining()).isEqualTo(TTL.minusSeconds(3));
    time.jumpWallClock(Duration.ofHours(-1));
    assertThat(lease.remaining()).isEqualTo(TTL.minusSeconds(3));
    backend.next(Call.EXTEND, TroubledBackend.before(() -> time.advance(Duration.ofSeconds(4))));
    assertThat(lease.extend(TTL)).isTrue();
    assertThat(lease.remaining()).isEqualTo(TTL.minusSeconds(4));
  }

  @Test
  void anExtensionOfUnknownOutcomeCanOnlyShortenWhatIsPromised() {
    Lease lease = take("report");
    backend.next(Call.EXTEND, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60)))
        .isInstanceOf(LockException.class);
    assertThat(lease.remaining()).isEqualTo(TTL);
    backend.next(Call.EXTEND, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(2))).isInstanceOf(LockException.class);
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aLeaseThatMayHaveBeenShortenedIsReportedLostAtItsEarliestEnd() {
    Lease lease = take("report");
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    backend.next(Call.EXTEND, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(2))).isInstanceOf(LockException.class);
    time.advance(Duration.ofSeconds(2));
    assertThat(losses).containsExactly(Loss.RAN_OUT);
  }

  @Test
  void aStepThatNeedsMoreTimeThanIsLeftIsRefused() {
    Lease lease = take("report");
    lease.ensureHeld(TTL);
    time.advance(Duration.ofSeconds(6));
    lease.ensureHeld(Duration.ofSeconds(4));
    assertThatThrownBy(() -> lease.ensureHeld(Duration.ofSeconds(5)))
        .isInstanceOf(LeaseLostException.class);
    lease.release();
    assertThatThrownBy(() -> lease.ensureHeld(Duration.ZERO))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aLeaseThatRanOutSaysSoAtOnce() {
    Lease lease = take("report");
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    time.advance(TTL.minusMillis(1));
    assertThat(losses).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(losses).containsExactly(Loss.RAN_OUT);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void aLeaseThatTheStoreDoesNotKnowAnyMoreSaysSo() {
    Lease lease = take("report");
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    store.release(lease.id(), Cancellation.none());
    assertThat(lease.extend(TTL)).isFalse();
    time.advance(Duration.ZERO);
    assertThat(losses).containsExactly(Loss.GONE);
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void aReleasedLeaseIsNeverReportedLost() {
    Lease lease = take("report");
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    lease.release();
    lease.extend(TTL);
    time.advance(TTL.multipliedBy(3));
    assertThat(losses).isEmpty();
  }

  @Test
  void anExtensionMovesTheMomentOfLoss() {
    Lease lease = take("report");
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    lease.extend(Duration.ofSeconds(30));
    time.advance(Duration.ofSeconds(29));
    assertThat(losses).isEmpty();
    lease.extend(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(2));
    assertThat(losses).containsExactly(Loss.RAN_OUT);
  }

  @Test
  void closingWaitsForAReleaseThatIsUnderWay() throws InterruptedException, ExecutionException {
    Lease lease = take("report");
    CountDownLatch underWay = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    backend.next(Call.RELEASE, TroubledBackend.after(() -> {
      underWay.countDown();
      awaitUninterruptibly(resume);
    }));
    Future<?> releasing = threads.submit(() -> lease.release());
    underWay.await();
    Future<?> closing = threads.submit(lease::close);
    assertThat(closing.isDone()).isFalse();
    resume.countDown();
    releasing.get();
    closing.get();
    assertThat(backend.calls).containsExactly(Call.ACQUIRE, Call.RELEASE);
  }

  @Test
  void closingGivesUpAfterTheDisposeTimeoutAndReportsItOnce() throws InterruptedException {
    Locks impatient = Locks.builder(backend)
        .onReleaseError(reporting)
        .disposeTimeout(Duration.ofMillis(20))
        .build();
    Lease lease = impatient.lock("report").ttl(TTL).tryAcquire().orElseThrow();
    CountDownLatch resume = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    backend.next(Call.RELEASE, TroubledBackend.after(() -> {
      awaitUninterruptibly(resume);
      failed.countDown();
      throw new LockException(SERVICE_UNAVAILABLE, "after the caller has left");
    }));
    lease.close();
    lease.close();
    assertThat(reported).containsExactly("NETWORK_TIMEOUT CLOSE");
    resume.countDown();
    failed.await();
    lease.close();
    assertThat(reported).containsExactly("NETWORK_TIMEOUT CLOSE");
    impatient.close();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
