package dev.syncguard.lock.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.testkit.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store whose clock is set while a lease is held: the next extension shows it, an operator is told, and a lease whose end
 * it stepped over is lost.
 */
class SteppingStoreClockTest {

  private static final Duration TTL = Duration.ofMinutes(1);
  private static final Duration WORK = Duration.ofSeconds(20);

  private final ManualTime time = ManualTime.stopped();
  private final Locks locks = Locks.builder(new MemoryLockBackend(time))
      .time(time)
      .background(time.background())
      .build();
  private final CapturedLog log = CapturedLog.everythingOf("dev.syncguard.lock.lease.StoreClock");

  @AfterEach
  void stopListening() {
    log.close();
  }

  private Lease take() {
    return locks.lock("secret-report").ttl(TTL).tryAcquire().orElseThrow();
  }

  /** The store lives by the wall clock, its clients by the monotonic one. */
  private void stepStoreClock(Duration ahead) {
    time.jumpWallClock(ahead);
  }

  private void workAndExtend(Lease lease) {
    time.advance(WORK);
    assertThat(lease.extend(TTL)).as("still held").isTrue();
  }

  @Test
  void aClockThatWentAheadIsToldOnceOnTheNextExtension() {
    Lease lease = take();
    workAndExtend(lease);
    stepStoreClock(Duration.ofSeconds(5));
    assertThat(log.records()).isEmpty();
    workAndExtend(lease);
    List<LogRecord> told = log.records();
    workAndExtend(lease);
    assertThat(log.records()).hasSize(1).isEqualTo(told);
    assertThat(told.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(told.get(0).getMessage())
        .contains("5000 ms")
        .doesNotContain("secret-report")
        .doesNotContain(lease.id().value());
  }

  @Test
  void whoeverKeepsTheLogMayWaitForSomebodyWhoUsesTheLease() throws Exception {
    Lease lease = take();
    Logger logger = Logger.getLogger("dev.syncguard.lock.lease.StoreClock");
    CompletableFuture<Boolean> extended = new CompletableFuture<>();
    Handler waiting = new Handler() {
      @Override
      public void publish(LogRecord record) {
        extended
            .completeAsync(() -> lease.extend(TTL))
            .orTimeout(30, TimeUnit.SECONDS)
            .join();
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(waiting);
    try {
      stepStoreClock(Duration.ofSeconds(5));
      workAndExtend(lease);
    } finally {
      logger.removeHandler(waiting);
    }
    assertThat(extended.get()).isTrue();
  }

  @Test
  void everyStepIsTold() {
    Lease lease = take();
    for (int steps = 1; steps <= 3; steps++) {
      stepStoreClock(Duration.ofSeconds(2));
      workAndExtend(lease);
      assertThat(log.records()).hasSize(steps);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, Liveness.TIME_TOLERANCE_MS, -1, -5_000})
  void aClockThatDoesNotGoAheadByMoreThanClocksMayDisagreeIsNothingToTell(long millis) {
    Lease lease = take();
    workAndExtend(lease);
    stepStoreClock(Duration.ofMillis(millis));
    workAndExtend(lease);
    workAndExtend(lease);
    assertThat(log.records()).isEmpty();
  }

  @Test
  void aStepJustBeyondThatIsTold() {
    Lease lease = take();
    stepStoreClock(Duration.ofMillis(Liveness.TIME_TOLERANCE_MS + 1));
    workAndExtend(lease);
    assertThat(log.records()).hasSize(1);
  }

  @Test
  void whoNeverExtendsIsToldOfItByItsRelease() {
    try (CapturedLog endings = CapturedLog.everythingOf("dev.syncguard.lock.lease.LeaseEnding")) {
      Lease lease = take();
      stepStoreClock(TTL.plusSeconds(2));
      assertThat(lease.isHeld()).as("what the holder believes").isTrue();
      assertThat(lease.release()).isFalse();
      assertThat(endings.records()).singleElement().satisfies(told -> {
        assertThat(told.getLevel()).isEqualTo(Level.WARNING);
        assertThat(told.getMessage())
            .contains("no longer at the store")
            .contains(lease.key().hash().hex())
            .doesNotContain("secret-report")
            .doesNotContain(lease.id().value());
      });
    }
  }

  @Test
  void aReleaseInTimeAndOneOfALeaseThatRanOutAreNothingToTell() {
    try (CapturedLog endings = CapturedLog.everythingOf("dev.syncguard.lock.lease.LeaseEnding")) {
      assertThat(take().release()).isTrue();
      Lease late = take();
      time.advance(TTL.plusSeconds(2));
      assertThat(late.release()).isFalse();
      assertThat(endings.records()).isEmpty();
    }
  }

  @Test
  void aStepBetweenTwoLeasesIsNothingToTell() {
    workAndExtend(take());
    stepStoreClock(Duration.ofHours(1));
    workAndExtend(take());
    assertThat(log.records()).isEmpty();
  }

  /** The store extends a lease up to a second after its end, since clocks may disagree by so much. */
  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 500, Liveness.TIME_TOLERANCE_MS - 1, Liveness.TIME_TOLERANCE_MS, 5_000})
  void aLeaseWhoseEndTheClockSteppedOverIsLost(long millisBeyondTheEnd) {
    Lease lease = take();
    workAndExtend(lease);
    time.advance(WORK);
    stepStoreClock(TTL.minus(WORK).plusMillis(millisBeyondTheEnd));
    assertThat(lease.extend(TTL)).isFalse();
    assertThat(lease.isHeld()).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(lease.whenLost().toCompletableFuture()).isCompleted();
    assertThat(locks.lock("secret-report").tryAcquire())
        .as("what the store extended is given back")
        .isPresent();
  }

  @Test
  void aLeaseThatIsRenewedIsLostAsWell() {
    Lease lease = locks
        .lock("secret-report")
        .ttl(TTL)
        .autoExtend(Duration.ofHours(1))
        .tryAcquire()
        .orElseThrow();
    time.advance(WORK.minusMillis(1));
    stepStoreClock(TTL.minus(WORK).plusMillis(500));
    assertThat(lease.isHeld()).as("nobody has asked the store yet").isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(lease.whenLost().toCompletableFuture()).isCompletedWithValue(Loss.RAN_OUT);
  }

  @Test
  void aLeaseWhoseEndIsAheadAllTheSameGoesOn() {
    Lease lease = take();
    time.advance(WORK);
    stepStoreClock(TTL.minus(WORK).minusMillis(1));
    assertThat(lease.extend(TTL)).isTrue();
    assertThat(lease.remaining()).isEqualTo(TTL);
  }
}
