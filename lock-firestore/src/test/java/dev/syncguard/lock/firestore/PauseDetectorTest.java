package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lease is doubted when wall clock and monotonic clock went apart while it was held. */
class PauseDetectorTest {

  private final ManualTime time = ManualTime.stopped();
  private final Locks locks =
      Locks.builder(new MemoryLockBackend(time)).time(time).build();
  private final Lease lease = locks.lock("report").ttl(Duration.ofMinutes(1)).acquire();

  @Test
  void aLeaseIsTrustedWhileTimePassesAsUsual() {
    for (int i = 0; i < 59; i++) {
      assertThat(PauseDetector.isSuspect(lease, time)).isFalse();
      time.advance(Duration.ofSeconds(1));
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(PauseDetector.isSuspect(lease, time)).as("over").isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, false", "200, false", "300, true", "30000, true", "-9000, false", "-11000, true"})
  void aLeaseIsDoubtedOnceTheWallClockJumps(long millis, boolean suspect) {
    time.advance(Duration.ofSeconds(3));
    time.jumpWallClock(Duration.ofMillis(millis));
    assertThat(PauseDetector.isSuspect(lease, time)).isEqualTo(suspect);
  }

  @Test
  void anExtensionStartsAnew() {
    time.jumpWallClock(Duration.ofSeconds(5));
    assertThat(PauseDetector.isSuspect(lease, time)).isTrue();
    assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();
    assertThat(PauseDetector.isSuspect(lease, time)).isFalse();
  }
}
