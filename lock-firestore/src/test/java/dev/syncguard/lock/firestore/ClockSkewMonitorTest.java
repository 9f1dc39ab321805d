package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.firestore.ClockHealth.Level;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.testkit.CapturedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the times in Firestore's answers tell about our own clock. */
class ClockSkewMonitorTest {

  private final ManualTime time = ManualTime.stopped();
  private final List<Level> told = new ArrayList<>();
  private final ClockSkewMonitor clock =
      new ClockSkewMonitor(time, true, health -> told.add(health.level()));

  /** Plays a request that takes its time on the way there and on the way back. */
  private void exchange(Duration offset, long thereMillis, long backMillis) {
    long sent = time.nanos();
    time.advance(Duration.ofMillis(thereMillis));
    Instant theirs = time.now().minus(offset);
    time.advance(Duration.ofMillis(backMillis));
    clock.observe(sent, time.now(), time.nanos(), theirs);
  }

  private void exchange(long offsetMillis) {
    exchange(Duration.ofMillis(offsetMillis), 1, 1);
  }

  @Test
  void nothingIsKnownBeforeTheFirstAnswer() {
    assertThat(clock.health()).isEqualTo(ClockHealth.UNKNOWN);
    assertThatCode(clock::requireTrust).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0, ON_TARGET",
    "100, ON_TARGET",
    "-100, ON_TARGET",
    "102, TOLERABLE",
    "-150, TOLERABLE",
    "199, TOLERABLE",
    "201, WARN",
    "-300, WARN",
    "499, WARN",
    "501, BLOCK",
    "-501, BLOCK",
    "60000, BLOCK"
  })
  void theLadderHasFourRungs(long offset, Level level) {
    exchange(Duration.ofMillis(offset), 0, 0);
    assertThat(clock.health().level()).isEqualTo(level);
    assertThat(clock.health().offset()).isEqualTo(Duration.ofMillis(offset));
  }

  @Test
  void theTruthAlwaysLiesWithinTheBound() {
    SplittableRandom random = new SplittableRandom(42);
    Duration offset = Duration.ofMillis(137);
    for (int i = 0; i < 2_000; i++) {
      exchange(offset, random.nextInt(300), random.nextInt(300));
      ClockHealth health = clock.health();
      assertThat(health.offset().minus(offset).abs()).isLessThanOrEqualTo(health.errorBound());
      assertThat(health.atLeast()).isLessThanOrEqualTo(offset);
      assertThat(health.atMost()).isGreaterThanOrEqualTo(offset);
      time.advance(Duration.ofMillis(random.nextInt(2_000)));
    }
  }

  @Test
  void aSlowAnswerRaisesNoAlarmAndAQuickOneIsRemembered() {
    exchange(Duration.ZERO, 2_000, 0);
    assertThat(clock.health().level()).isEqualTo(Level.ON_TARGET);
    assertThat(clock.health().atMost()).isGreaterThan(ClockHealth.BLOCK);
    exchange(Duration.ZERO, 1, 1);
    exchange(Duration.ZERO, 2_000, 0);
    assertThat(clock.health().errorBound()).isLessThan(Duration.ofMillis(10));
  }

  @Test
  void aClockThatIsSetIsNoticedAtTheNextAnswer() {
    exchange(0);
    time.advance(Duration.ofSeconds(1));
    exchange(30_000);
    assertThat(clock.health().level()).isEqualTo(Level.BLOCK);
    exchange(0);
    assertThat(clock.health().level()).isEqualTo(Level.ON_TARGET);
    assertThat(told).containsExactly(Level.BLOCK, Level.ON_TARGET);
  }

  @Test
  void whatIsKnownGetsLessCertainByAThousandthOfItsAge() {
    time.advance(Duration.ofHours(1));
    exchange(Duration.ZERO, 0, 0);
    assertThat(clock.health().errorBound()).isEqualTo(Duration.ZERO);
    time.advance(Duration.ofSeconds(10));
    assertThat(clock.health().errorBound()).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void healthHasWordsForPeople() {
    assertThat(clock.health()).hasToString("unknown");
    exchange(Duration.ofMillis(-300), 0, 0);
    assertThat(clock.health()).hasToString("-300 ms (± 0 ms), WARN");
    exchange(Duration.ofMillis(7), 0, 0);
    assertThat(clock.health()).hasToString("+7 ms (± 0 ms), ON_TARGET");
  }

  @Test
  void anOldAnswerGivesWayToANewOne() {
    exchange(0);
    time.advance(Duration.ofMinutes(10));
    exchange(Duration.ofMillis(80), 50, 50);
    assertThat(clock.health().offset()).isEqualTo(Duration.ofMillis(80));
  }

  @Test
  void theOperatorIsWarnedOncePerRung() {
    try (CapturedLog log = CapturedLog.everythingOf(ClockSkewMonitor.class.getName())) {
      exchange(0);
      exchange(300);
      exchange(300);
      exchange(700);
      exchange(0);
      assertThat(log.records())
          .hasSize(2)
          .allMatch(record -> record.getMessage().contains("check its time service"));
    }
    assertThat(told).containsExactly(Level.WARN, Level.BLOCK, Level.ON_TARGET);
  }

  @Test
  void onRequestAnUnsafeClockIsRefused() {
    exchange(499);
    assertThatCode(clock::requireTrust).doesNotThrowAnyException();
    exchange(600);
    assertThatThrownBy(clock::requireTrust)
        .isInstanceOf(LockException.class)
        .hasMessageContaining("600 ms");
    ClockSkewMonitor lenient = new ClockSkewMonitor(time, false, health -> {});
    lenient.observe(0, time.now().plusSeconds(60), 0, time.now());
    assertThatCode(lenient::requireTrust).doesNotThrowAnyException();
  }

  @Test
  void aListenerThatFailsDisturbsNobodyAndIsTold() {
    ClockSkewMonitor noisy = new ClockSkewMonitor(time, false, health -> {
      throw new AssertionError("no paper");
    });
    try (CapturedLog log = CapturedLog.everythingOf(ClockSkewMonitor.class.getName())) {
      noisy.observe(0, time.now().plusSeconds(60), 0, time.now());
      assertThat(log.records())
          .anyMatch(record -> record.getMessage().equals("A listener for clock health failed"));
    }
    assertThat(noisy.health().level()).isEqualTo(Level.BLOCK);
  }
}
