package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A foreign lease is left alone until its remaining time has passed on our monotonic clock. */
class SightingsTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final Timestamp VERSION = Timestamp.ofTimeSecondsAndNanos(1, 0);
  private static final Timestamp CHANGED = Timestamp.ofTimeSecondsAndNanos(1, 1000);

  private final ManualTime time = ManualTime.stopped();
  private final Sightings sightings = new Sightings(time);

  @Test
  void aLeaseThatIsOverWhenItIsFirstSeenNeedsNoMoreTime() {
    assertThat(sightings.leftMillis(KEY, VERSION, 0)).isZero();
    assertThat(sightings.leftMillis(KEY, CHANGED, -5_000)).isZero();
  }

  @Test
  void theRemainingTimeIsCountedOnTheMonotonicClockFromTheFirstSight() {
    assertThat(sightings.leftMillis(KEY, VERSION, 3_000)).isEqualTo(3_000);
    time.advance(Duration.ofSeconds(1));
    assertThat(sightings.leftMillis(KEY, VERSION, 2_000)).isEqualTo(2_000);
    time.advance(Duration.ofNanos(1_999_999_999L));
    assertThat(sightings.leftMillis(KEY, VERSION, 1)).isEqualTo(1);
    time.advance(Duration.ofNanos(1));
    assertThat(sightings.leftMillis(KEY, VERSION, 0)).isZero();
  }

  @Test
  void noOtherClockEndsALeaseEarlier() {
    sightings.leftMillis(KEY, VERSION, 3_000);
    time.jumpWallClock(Duration.ofHours(1));
    assertThat(sightings.leftMillis(KEY, VERSION, -3_600_000)).isEqualTo(3_000);
  }

  @Test
  void aLeaseThatHasChangedIsSeenForTheFirstTime() {
    sightings.leftMillis(KEY, VERSION, 3_000);
    time.advance(Duration.ofMillis(2_999));
    assertThat(sightings.leftMillis(KEY, CHANGED, 3_000)).isEqualTo(3_000);
    time.advance(Duration.ofMillis(2_999));
    assertThat(sightings.leftMillis(KEY, CHANGED, 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000})
  void aLeaseThatNeverEndsIsNeverOvertaken(long remainingMs) {
    time.advance(Duration.ofHours(1));
    assertThat(sightings.leftMillis(KEY, VERSION, remainingMs)).isGreaterThan(1L << 40);
  }

  @Test
  void onlyTheLatestAreRemembered() {
    sightings.leftMillis(KEY, VERSION, 3_000);
    LockKey first = LockKey.of("key 0");
    for (int i = 0; i < 2 * Sightings.MOST; i++) {
      sightings.leftMillis(LockKey.of("key " + i), VERSION, 3_000);
      sightings.leftMillis(KEY, VERSION, 3_000);
    }
    assertThat(sightings.count()).isEqualTo(Sightings.MOST);
    time.advance(Duration.ofSeconds(2));
    assertThat(sightings.leftMillis(KEY, VERSION, 3_000))
        .as("seen all the time")
        .isEqualTo(1_000);
    assertThat(sightings.leftMillis(first, VERSION, 3_000)).as("seen anew").isEqualTo(3_000);
  }
}
