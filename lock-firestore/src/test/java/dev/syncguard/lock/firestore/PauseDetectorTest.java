package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.testkit.CapturedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease is doubted when wall clock and monotonic clock went apart while it was held. */
class PauseDetectorTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(60_000);

  private final ManualTime time = ManualTime.stopped();
  private final List<SuspectLease> told = new ArrayList<>();
  private final PauseDetector pauses = new PauseDetector(time, told::add);
  private final LockId id = OneFirestore.newId();

  private void jump(long millis) {
    time.jumpWallClock(Duration.ofMillis(millis));
  }

  @Test
  void aLeaseIsTrustedWhileTimePassesAsUsual() {
    pauses.begin(KEY, id, TTL);
    for (int i = 0; i < 60; i++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(pauses.isSuspect(id)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "250, false",
    "-250, false",
    "251, true",
    "300, true",
    "-300, true",
    "30000, true"
  })
  void aLeaseIsDoubtedOnceTheClocksGoApart(long millis, boolean suspect) {
    pauses.begin(KEY, id, TTL);
    time.advance(Duration.ofSeconds(3));
    jump(millis);
    assertThat(pauses.isSuspect(id)).isEqualTo(suspect);
  }

  @Test
  void manySmallStepsCountAsWellAsOneLargeOne() {
    pauses.begin(KEY, id, TTL);
    for (int i = 0; i < 25; i++) {
      jump(10);
      assertThat(pauses.isSuspect(id)).isFalse();
    }
    jump(30);
    assertThat(pauses.isSuspect(id)).isTrue();
  }

  @Test
  void onlyWhatHappensDuringALeaseCounts() {
    jump(5_000);
    pauses.begin(KEY, id, TTL);
    pauses.look();
    assertThat(pauses.isSuspect(id)).isFalse();
    time.advance(TTL.duration());
    jump(5_000);
    pauses.look();
    assertThat(told).as("it was over by then").isEmpty();
  }

  @Test
  void aRequestIsWatchedFromItsFirstAttemptOn() {
    pauses.begin(KEY, id, TTL);
    jump(5_000);
    pauses.begin(KEY, id, TTL);
    assertThat(pauses.isSuspect(id)).isTrue();
  }

  @Test
  void aDoubtIsToldOnceAndStaysEvenIfTheClockIsSetRightAgain() {
    pauses.begin(KEY, id, TTL);
    jump(4_000);
    pauses.look();
    pauses.look();
    jump(-4_000);
    pauses.look();
    assertThat(pauses.isSuspect(id)).isTrue();
    assertThat(told)
        .containsExactly(new SuspectLease(KEY.hash(), id.hash(), Duration.ofSeconds(4)));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000})
  void anExtensionStartsAnewFromBeforeItWasAskedFor(long jumpMeanwhile) {
    pauses.begin(KEY, id, TTL);
    jump(5_000);
    pauses.look();
    PauseDetector.Reading before = pauses.read();
    jump(jumpMeanwhile);
    pauses.extended(id, TTL, before);
    assertThat(pauses.isSuspect(id)).isEqualTo(jumpMeanwhile > 0);
    assertThat(told).hasSize(jumpMeanwhile > 0 ? 2 : 1);
  }

  @Test
  void aLeaseThatIsNotOursIsNotWatched() {
    pauses.extended(id, TTL, pauses.read());
    assertThat(pauses.count()).isZero();
    pauses.begin(KEY, id, TTL);
    pauses.forget(id);
    jump(5_000);
    assertThat(pauses.isSuspect(id)).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void leasesThatNobodyReleasesAreForgottenWhenTheyAreOver() {
    for (int i = 0; i < 10_000; i++) {
      pauses.begin(KEY, OneFirestore.newId(), TTL);
      time.advance(Duration.ofSeconds(1));
      assertThat(pauses.count()).isBetween(1, 199);
    }
  }

  @Test
  void leasesThatAreNotOverAreWatchedHoweverManyThereAre() {
    for (int i = 0; i < 450; i++) {
      pauses.begin(KEY, OneFirestore.newId(), TTL);
    }
    assertThat(pauses.count()).isEqualTo(450);
    jump(5_000);
    pauses.look();
    assertThat(told).hasSize(450);
  }

  @Test
  void aThreadThatIsStoppedBetweenTheTwoClocksIsNoPause() {
    StoppingTime stopping = new StoppingTime();
    PauseDetector watching = new PauseDetector(stopping, told::add);
    watching.begin(KEY, id, TTL);
    stopping.stops = 1;
    assertThat(watching.isSuspect(id)).isFalse();
    stopping.looks = 0;
    stopping.stops = 1_000;
    PauseDetector.Reading last = watching.read();
    assertThat(stopping.looks).as("some time it has to do").isEqualTo(10);
    assertThat(last.nanos()).isEqualTo(time.nanos());
  }

  /** Stops its reader for a second each time after it has told the time. */
  private final class StoppingTime implements Time {
    private int stops;
    private int looks;

    @Override
    public Instant now() {
      Instant now = time.now();
      looks++;
      if (stops > 0) {
        stops--;
        time.advance(Duration.ofSeconds(1));
      }
      return now;
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public Signal newSignal() {
      return time.newSignal();
    }
  }

  @Test
  void theOperatorIsWarnedOncePerPauseAndSeesNoSecrets() {
    List<LockId> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ids.add(OneFirestore.newId());
      pauses.begin(KEY, ids.get(i), TTL);
    }
    try (CapturedLog log = CapturedLog.everythingOf(PauseDetector.class.getName())) {
      jump(5_000);
      pauses.look();
      pauses.look();
      assertThat(log.records()).hasSize(1);
      String message = log.records().get(0).getMessage();
      assertThat(message).contains("5000 ms").contains("30 lease(s)").doesNotContain("report");
      assertThat(ids).noneMatch(each -> message.contains(each.value()));
      assertThat(ids).filteredOn(each -> message.contains(each.hash().hex())).hasSize(10);
      assertThat(message).contains(", ...)");
    }
    assertThat(told).hasSize(30);
  }

  @Test
  void allLeasesAreNamedIfTheyAreFew() {
    for (int i = 0; i < 10; i++) {
      pauses.begin(KEY, OneFirestore.newId(), TTL);
    }
    try (CapturedLog log = CapturedLog.everythingOf(PauseDetector.class.getName())) {
      jump(5_000);
      pauses.look();
      assertThat(log.records().get(0).getMessage()).doesNotContain("...");
    }
  }

  @Test
  void aListenerThatFailsDisturbsNobodyAndIsTold() {
    PauseDetector noisy = new PauseDetector(time, lease -> {
      throw new AssertionError("no paper");
    });
    noisy.begin(KEY, id, TTL);
    jump(5_000);
    try (CapturedLog log = CapturedLog.everythingOf(PauseDetector.class.getName())) {
      assertThat(noisy.isSuspect(id)).isTrue();
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .contains("A listener for suspect leases failed");
    }
  }
}
