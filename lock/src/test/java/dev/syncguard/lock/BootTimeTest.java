package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.runtime.BootTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BootTimeTest {

  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final List<String> warnings = new ArrayList<>();
  private long monotonic = 123;
  private long wall = 1_900_000_000_000L;
  private OptionalLong uptime = OptionalLong.of(55);

  private BootTime clock() {
    return new BootTime(() -> monotonic, () -> wall, () -> uptime, warnings::add);
  }

  private void awake(long nanos) {
    monotonic += nanos;
    asleep(nanos);
  }

  private void asleep(long nanos) {
    wall += nanos / 1_000_000;
    uptime = uptime.isEmpty() ? uptime : OptionalLong.of(uptime.getAsLong() + nanos);
  }

  @Test
  void timeAwakeIsCounted() {
    BootTime clock = clock();
    long before = clock.nanos();
    awake(HOUR);
    assertThat(clock.nanos() - before).isEqualTo(HOUR);
    assertThat(warnings).isEmpty();
  }

  @Test
  void timeAsleepIsCountedAndTold() {
    BootTime clock = clock();
    long before = clock.nanos();
    asleep(HOUR);
    assertThat(clock.nanos() - before).isBetween(HOUR, HOUR + 50_000_000);
    awake(HOUR);
    asleep(HOUR);
    assertThat(clock.nanos() - before).isBetween(3 * HOUR, 3 * HOUR + 100_000_000);
    assertThat(warnings).hasSize(2).allMatch(warning -> warning.contains("asleep for about 36000"));
  }

  @Test
  void aWallClockThatIsSetChangesNothingButIsTold() {
    BootTime clock = clock();
    long before = clock.nanos();
    wall += 3_600_000;
    assertThat(clock.nanos()).isEqualTo(before);
    wall -= 7_200_000;
    assertThat(clock.nanos()).isEqualTo(before);
    assertThat(warnings).singleElement().asString().contains("ran ahead", "by 3600000 ms");
  }

  @Test
  void withoutAClockThatCountsSinceBootASleepIsAtLeastTold() {
    uptime = OptionalLong.empty();
    BootTime clock = clock();
    long before = clock.nanos();
    asleep(HOUR);
    assertThat(clock.nanos()).isEqualTo(before);
    assertThat(warnings).singleElement().asString().contains("cannot be measured");
  }

  @Test
  void theClockNeverGoesBack() {
    BootTime clock = clock();
    long last = clock.nanos();
    for (int i = 0; i < 1_000; i++) {
      switch (i % 4) {
        case 0 -> asleep(1_000_000L * i);
        case 1 -> awake(1_000_000L * i);
        case 2 -> wall -= i * 100L;
        default -> wall += i * 70L;
      }
      long now = clock.nanos();
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }
  }

  @Test
  void thisMachineTellsItsUptimeIfItRunsLinux() {
    boolean linux = System.getProperty("os.name").equals("Linux");
    assertThat(BootTime.readUptime().isPresent()).isEqualTo(linux);
  }
}
