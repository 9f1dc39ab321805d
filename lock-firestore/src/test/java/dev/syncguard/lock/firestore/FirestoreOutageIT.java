package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Firestore that goes away and comes back, seen by a client of our own: told at once, and noticed at once. */
class FirestoreOutageIT extends OneFirestore {

  private static final Duration OUTAGE = Duration.ofSeconds(6);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

  private FaultProxy proxy;
  private FirestoreLockBackend ours;

  @BeforeEach
  void openOurs() throws IOException {
    proxy = FaultProxy.to("127.0.0.1", server.port());
    ours = open(throughProxy());
  }

  private FirestoreLockBackendBuilder throughProxy() {
    return FirestoreLockBackend.builder(
        LocalFirestore.options("127.0.0.1:" + proxy.port()).build());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  /** Tries as somebody who waits does, until the time is over. */
  private void failFor(Duration outage, Runnable attempt) {
    long end = System.nanoTime() + outage.toNanos();
    while (System.nanoTime() - end < 0) {
      LockException failure = catchThrowableOfType(LockException.class, attempt::run);
      assertThat(failure).isNotNull();
      assertThat(failure.code()).as("the reason").isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    }
  }

  /** Returns how many tries failed before one was answered. */
  private static int triesUntilAnswered(Runnable attempt) {
    for (int failed = 0; ; failed++) {
      try {
        attempt.run();
        return failed;
      } catch (LockException e) {
        assertThat(e.isRetryable()).isTrue();
        assertThat(failed).as("tries after the outage").isLessThan(600);
        LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      }
    }
  }

  @Test
  void whenItAnswersAgainTheNextTryIsAnswered() {
    take(ours, "warm-up", LONG);
    proxy.breakDown();
    Runnable attempt = () -> granted(ours.acquire(key("report"), newId(), LONG, NEVER));
    failFor(OUTAGE, attempt);
    proxy.heal();
    // By then a channel left to itself waits for seconds before it connects again.
    assertThat(triesUntilAnswered(attempt)).isLessThanOrEqualTo(5);
  }

  @Test
  void aConnectionThatDiedWithoutAWordIsReplacedWhileTheCallerWaits() {
    LockId held = take(ours, "report", LONG);
    for (int round = 0; round < 3; round++) {
      proxy.silenceAll();
      assertThat(ours.isLocked(key("report"), NEVER)).isTrue();
    }
    proxy.silenceAll();
    assertThat(ours.release(held, NEVER)).isInstanceOf(ReleaseResult.Released.class);
  }

  @Test
  void aWaiterHearsAReleaseAfterItsConnectionDiedWithoutAWord() throws Exception {
    LockId holder = take("report");
    Semaphore calls = new Semaphore(0);
    try (WaitingLine.Place place =
        ours.waitingLine().orElseThrow().join(key("report"), newId(), calls::release)) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      proxy.silenceAll();
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      calls.drainPermits();
      assertThat(release(holder)).isTrue();
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aCallThatIsUnderWayEndsWhenItsCallerGivesUp() throws Exception {
    take(ours, "warm-up", LONG);
    FirestoreLockBackend patient = open(throughProxy().timeout(Duration.ofHours(1)));
    patient.isLocked(key("report"), NEVER);
    proxy.silenceAll();
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<AcquireResult> asking = CompletableFuture.supplyAsync(
        () -> patient.acquire(key("report"), newId(), LONG, cancellation));
    LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    assertThat(asking).isNotDone();
    cancellation.cancel();
    // By no other way, since nobody answers and the timeout is an hour.
    assertThat(asking)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(LockException.Code.ABORTED));
  }

  @Test
  void aWaiterHearsThatItsConnectionBreaksAlthoughItsKeyIsNotFree() throws Exception {
    take("report");
    Semaphore calls = new Semaphore(0);
    FirestoreClient client =
        FirestoreClient.connect(LocalFirestore.options("127.0.0.1:" + proxy.port()));
    try (KeyListeners listeners = new KeyListeners(Time.system(), 50)) {
      client.channels().onBreak(listeners::wakeAll);
      listeners.listen(client.firestore().document("locks/report"), calls::release);
      Semaphore other = new Semaphore(0);
      listeners.listen(client.firestore().document("locks/free"), other::release);
      assertThat(other.tryAcquire(1, TimeUnit.MINUTES)).as("connected").isTrue();
      assertThat(calls.availablePermits()).isZero();
      proxy.cutAll();
      assertThat(calls.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      client.firestore().shutdownNow();
    }
  }

  @Test
  void aWaiterHearsAReleaseAfterAnOutage() throws Exception {
    LockId holder = take("report");
    Semaphore calls = new Semaphore(0);
    try (WaitingLine.Place place =
        ours.waitingLine().orElseThrow().join(key("report"), newId(), calls::release)) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      proxy.breakDown();
      failFor(OUTAGE, () -> place.attempt(LONG, NEVER));
      proxy.heal();
      int unused = triesUntilAnswered(() -> place.attempt(LONG, NEVER));
      calls.drainPermits();
      assertThat(release(holder)).isTrue();
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }
}
