package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.firestore.ClockHealth.Level;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.micrometer.LockMeters;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import dev.syncguard.lock.spi.WaitingLine;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose clocks differ from Firestore's and from one another's. Only a test moves the clocks. */
class FirestoreClockIT extends OneFirestore {

  private static final Ttl TTL = Ttl.ofMillis(10_000);

  private final ManualTime time = ManualTime.stopped();

  @Override
  FirestoreServerBuilder settings() {
    return FirestoreServer.builder().time(time::now);
  }

  private FirestoreLockBackendBuilder careful(long offsetMillis) {
    return FirestoreLockBackend.builder(firestore)
        .time(new ShiftedTime(time, Duration.ofMillis(offsetMillis)));
  }

  /** Returns settings under which even a clock that is off too far may be tried out. */
  private FirestoreLockBackendBuilder builder(long offsetMillis) {
    return careful(offsetMillis).allowUnsafeClock();
  }

  @BeforeEach
  void openOnTheServersTime() {
    // Commits at one and the same time get different times, so the server is a few microseconds
    // ahead.
    time.advance(Duration.ofMillis(1));
    backend = open(builder(0));
  }

  @ParameterizedTest
  @CsvSource({
    "0, ON_TARGET",
    "-90, ON_TARGET",
    "250, WARN",
    "-499, WARN",
    "500, BLOCK",
    "-7000, BLOCK"
  })
  void everyAnswerTellsHowFarTheClockIsOff(long offset, Level level) {
    FirestoreLockBackend off = open(builder(offset));
    assertThat(off.clockHealth()).isEqualTo(ClockHealth.UNKNOWN);
    off.isLocked(key("report"), NEVER);
    assertThat(off.clockHealth())
        .isEqualTo(new ClockHealth(Duration.ofMillis(offset), Duration.ZERO, level));
  }

  @Test
  void aClockThatIsOffIsToldToTheListener() {
    List<ClockHealth> told = new CopyOnWriteArrayList<>();
    FirestoreLockBackend off = open(builder(700).onClockHealth(told::add));
    off.isLocked(key("report"), NEVER);
    off.isLocked(key("report"), NEVER);
    assertThat(told).extracting(ClockHealth::level).containsExactly(Level.BLOCK);
  }

  @Test
  void theGaugeShowsHowFarTheClockIsOff() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    FirestoreLockBackend off = open(builder(-250));
    LockMeters.to(registry).clockOffset("firestore", () -> off.clockHealth().offset());
    off.isLocked(key("report"), NEVER);
    assertThat(registry.get("syncguard.lock.clock.offset").timeGauge().value(TimeUnit.SECONDS))
        .isEqualTo(-0.25);
  }

  @ParameterizedTest
  @CsvSource({
    "0, GOOD",
    "-150, GOOD",
    "250, WARNING",
    "-300, WARNING",
    "500, FAILURE",
    "-501, FAILURE"
  })
  void theDoctorJudgesTheClock(long offset, Severity severity) {
    assertThat(open(builder(offset)).storeCheck().orElseThrow().examine(NEVER))
        .filteredOn(finding -> finding.subject().equals("clock"))
        .extracting(Finding::severity)
        .containsExactly(severity);
  }

  @Test
  void nobodyLocksByAnUnsafeClock() {
    FirestoreLockBackend careful = open(careful(600));
    LockException refusal = catchThrowableOfType(
        LockException.class, () -> careful.acquire(key("report"), newId(), LONG, NEVER));
    assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("clock");
    assertThat(read(lockDocument("report")).exists()).isFalse();
    assertThat(read(fenceDocument("fence:report")).exists()).isFalse();
    // Whoever holds a lock already can still give it back.
    LockId held = take(backend, "held", LONG);
    assertThat(careful.release(held, NEVER).toString()).contains("Released");
    take(open(careful(499)), "report", LONG);
  }

  @Test
  void anUnsafeClockHandsNothingOverAndTheHolderCanStillRelease() throws Exception {
    ManualTime ours = ManualTime.stopped();
    WatchedCalls calls = new WatchedCalls();
    Firestore watched = calls.connect(server.emulatorHost(), 0);
    FirestoreLockBackend careful = open(FirestoreLockBackend.builder(watched).time(ours));
    Locks locks = Locks.over(careful);
    Lease lease = locks.lock("report").acquire();
    CompletableFuture<Lease> waiting =
        locks.lock("report").waitUpTo(Duration.ofMinutes(2)).failFast().acquireAsync();
    assertThat(await(() -> calls.has("Listen"))).isTrue();
    WaitingLine.Place place =
        careful.waitingLine().orElseThrow().join(key("report"), newId(), () -> {});
    assertThat(place.mayTakeOver()).isTrue();
    ours.jumpWallClock(Duration.ofMillis(600));
    careful.isLocked(key("report"), NEVER);
    assertThat(place.mayTakeOver()).isFalse();
    assertThat(lease.release()).isTrue();
    assertThat(waiting)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .havingRootCause()
        .withMessageContaining("clock");
    assertThat(read(lockDocument("report")).exists()).isFalse();
    assertThat(read(fenceDocument("fence:report")).getString("fence"))
        .isEqualTo(new Fence(1).text());
    locks.close();
    watched.shutdownNow();
  }

  /** Lets a holder with one clock hold a key to the end, and returns whether one with another clock came too early. */
  private boolean isStolenBeforeItsEnd(long holderOffset, FirestoreLockBackend other) {
    FirestoreLockBackend holder = open(builder(holderOffset));
    granted(holder.acquire(key("report"), newId(), TTL, NEVER));
    // The holder counts on its monotonic clock; the last moment at which it still relies on the
    // lease:
    time.advance(TTL.duration().minusMillis(1));
    return other.acquire(key("report"), newId(), TTL, NEVER) instanceof AcquireResult.Acquired;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100, 500, 900, 999, 1000})
  void withinASecondNobodyIsDisturbed(long skew) {
    assertThat(isStolenBeforeItsEnd(0, open(builder(skew)))).isFalse();
    server.clear();
    assertThat(isStolenBeforeItsEnd(-skew, open(builder(0)))).isFalse();
    server.clear();
    assertThat(isStolenBeforeItsEnd(-skew / 2, open(builder(skew - skew / 2)))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1100, 2000, 60_000})
  void beyondASecondAFastClockStealsAndTheFenceTellsTheThief(long skew) {
    assertThat(isStolenBeforeItsEnd(0, open(builder(skew)))).isTrue();
    assertThat(read(fenceDocument("fence:report")).getString("fence"))
        .isEqualTo(new Fence(2).text());
  }

  @ParameterizedTest
  @CsvSource({"0, 1100", "0, 60000", "0, 3600000", "-60000, 0", "-60000, 60000"})
  void aStrictClientDoesNotStealHoweverFastItsClockIs(long holderOffset, long skew) {
    FirestoreLockBackend strict = open(builder(skew).strictTakeover());
    assertThat(isStolenBeforeItsEnd(holderOffset, strict)).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(strict.acquire(key("report"), newId(), TTL, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofMillis(1));
    assertThat(strict.acquire(key("report"), newId(), TTL, NEVER))
        .isInstanceOf(AcquireResult.Acquired.class);
  }

  private AcquireResult attempt(FirestoreLockBackend by) {
    return by.acquire(key("report"), newId(), TTL, NEVER);
  }

  @Test
  void aStrictClientWaitsForExtensionsToo() {
    FirestoreLockBackend strict = open(builder(60_000).strictTakeover());
    LockId id = take(backend, "report", TTL);
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofSeconds(8));
    backend.extend(id, TTL, NEVER);
    time.advance(Duration.ofSeconds(3));
    assertThat(attempt(strict))
        .as("what was seen at first is over, but it has changed")
        .isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofSeconds(8).minusMillis(1));
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofMillis(1));
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  void aStrictClientCountsOnItsOwnMonotonicClock() {
    ManualTime own = ManualTime.stopped();
    FirestoreLockBackend strict = open(
        FirestoreLockBackend.builder(firestore).time(own).allowUnsafeClock().strictTakeover());
    take(backend, "report", TTL);
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Contended.class);
    own.jumpWallClock(Duration.ofHours(1));
    assertThat(attempt(strict))
        .as("its wall clock was set")
        .isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofHours(1));
    assertThat(attempt(strict))
        .as("so was Firestore's")
        .isInstanceOf(AcquireResult.Contended.class);
    own.advance(TTL.duration().plusMillis(999));
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Contended.class);
    own.advance(Duration.ofMillis(1));
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  void aStrictClientNeedNotWaitForALeaseThatIsLongOver() {
    take(backend, "report", TTL);
    time.advance(TTL.duration().plusSeconds(1));
    assertThat(attempt(open(builder(0).strictTakeover())))
        .isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  void aStrictClientKnowsTheEndOfALeaseWhoseFenceIsLost() {
    FirestoreLockBackend strict = open(builder(60_000).strictTakeover());
    take(backend, "report", TTL);
    Documents.await(fenceDocument("fence:report").delete());
    time.advance(TTL.duration());
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Contended.class);
    time.advance(Duration.ofSeconds(1));
    assertThat(attempt(strict)).isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  void aStrictClientWakesUpWhenTheTimeIsOver() {
    FirestoreLockBackend strict = open(builder(60_000).strictTakeover());
    take(backend, "report", Ttl.ofMillis(2_000));
    try (WaitingLine.Place place =
        strict.waitingLine().orElseThrow().join(key("report"), newId(), () -> {})) {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(place.patience()).isEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void aLeaseIsDoubtedAfterTheMachineSlept() {
    try (Locks locks = Locks.builder(backend).time(time).build();
        Lease lease = locks.lock("report").ttl(TTL.duration()).acquire()) {
      time.advance(Duration.ofSeconds(1));
      assertThat(backend.isSuspect(lease)).isFalse();
      time.jumpWallClock(Duration.ofSeconds(4));
      assertThat(lease.isHeld()).isTrue();
      assertThat(backend.isSuspect(lease)).isTrue();
      assertThat(lease.extend(TTL.duration())).isTrue();
      assertThat(backend.isSuspect(lease)).isFalse();
    }
  }

  @Test
  void aRenewalNoticesThatTheMachineSleptAndTheListenerIsTold() {
    List<SuspectLease> told = new CopyOnWriteArrayList<>();
    FirestoreLockBackend watched = open(builder(0).onSuspectLease(told::add));
    try (Locks locks =
            Locks.builder(watched).time(time).background(time.background()).build();
        Lease lease = locks
            .lock("report")
            .ttl(TTL.duration())
            .autoExtend(Duration.ofMinutes(1))
            .acquire()) {
      time.advance(TTL.duration());
      assertThat(told).isEmpty();
      time.jumpWallClock(Duration.ofSeconds(4));
      time.advance(TTL.duration());
      assertThat(told)
          .containsExactly(
              new SuspectLease(lease.key().hash(), lease.id().hash(), Duration.ofSeconds(4)));
      assertThat(watched.isSuspect(lease)).as("it was renewed since").isFalse();
    }
  }

  @Test
  void whateverIsAskedOfFirestoreTellsAboutAPause() {
    List<SuspectLease> told = new CopyOnWriteArrayList<>();
    FirestoreLockBackend watched = open(builder(0).onSuspectLease(told::add));
    LockId released = take(watched, "released", TTL);
    watched.release(released, NEVER);
    assertThat(watched.acquire(key("held"), take(watched, "held", TTL), TTL, NEVER))
        .isInstanceOf(AcquireResult.Acquired.class);
    assertThat(watched.acquire(key("held"), newId(), TTL, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    time.jumpWallClock(Duration.ofSeconds(-4));
    watched.isLocked(key("other"), NEVER);
    assertThat(told).extracting(SuspectLease::key).containsExactly(key("held").hash());
    time.jumpWallClock(Duration.ofSeconds(8));
    take(watched, "later", TTL);
    time.jumpWallClock(Duration.ofSeconds(-4));
    watched.clockHealth();
    assertThat(told)
        .extracting(SuspectLease::key)
        .containsExactly(key("held").hash(), key("later").hash());
  }

  @Test
  void aLeaseThatWasHandedOverIsWatchedAndTheOneBeforeItIsNot() {
    List<SuspectLease> told = new CopyOnWriteArrayList<>();
    FirestoreLockBackend watched = open(builder(0).onSuspectLease(told::add));
    LockId first = take(watched, "report", TTL);
    LockId second = newId();
    try (WaitingLine.Place place =
        watched.waitingLine().orElseThrow().join(key("report"), second, () -> {})) {
      granted(place.takeOver(first, TTL));
    }
    time.jumpWallClock(Duration.ofSeconds(4));
    watched.clockHealth();
    assertThat(told).extracting(SuspectLease::lockId).containsExactly(second.hash());
  }
}
