package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockNote;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WatchScreenTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  @Test
  void showsAHeadingAndALinePerLock() {
    assertThat(WatchScreen.frame(locks(1), NOW, 24, 100))
        .containsExactly(
            "1 live lock at 2026-01-02T03:04:05Z   (q quits)",
            "",
            "KEY HASH  ENDS IN  HELD FOR  WAITING  FENCE  LOCK HASH  NOTE",
            "00000030      20s     1m 5s        0      1   00000031  backup 0");
  }

  @Test
  void aNarrowScreenShowsWhatMattersMost() {
    assertThat(LockTable.lines(locks(1), 59))
        .containsExactly(
            "KEY HASH  ENDS IN  HELD FOR  WAITING  FENCE  NOTE",
            "00000030      20s     1m 5s        0      1  backup 0");
    assertThat(LockTable.lines(locks(1), 40))
        .containsExactly(
            "KEY HASH  ENDS IN  WAITING  NOTE", "00000030      20s        0  backup 0");
    assertThat(LockTable.lines(locks(1), 30))
        .containsExactly("KEY HASH  ENDS IN  NOTE", "00000030      20s  backup 0");
    assertThat(LockTable.lines(locks(1), 20))
        .containsExactly("KEY HASH  ENDS IN  N", "00000030      20s  b");
  }

  @Test
  void saysHowManyDoNotFit() {
    List<String> frame = WatchScreen.frame(locks(10), NOW, 6, 100);

    assertThat(frame).hasSize(6);
    assertThat(frame.get(5)).isEqualTo("... and 8 more");
  }

  @Test
  void neverExceedsTheScreen() {
    for (int rows = 1; rows < 30; rows++) {
      assertThat(WatchScreen.frame(locks(10), NOW, rows, 20))
          .hasSizeLessThanOrEqualTo(rows)
          .allMatch(line -> line.length() <= 20);
    }
  }

  private static LiveLocks locks(int count) {
    return new LiveLocks(
        IntStream.range(0, count)
            .mapToObj(i -> new LockInfo(
                LockHash.of(Integer.toString(i)),
                LockHash.of(Integer.toString(i + 1)),
                new Fence(i + 1),
                NOW.minusSeconds(65),
                NOW.plusSeconds(20),
                NOW,
                Optional.of(LockNote.of("backup " + i)),
                OptionalInt.of(i)))
            .toList(),
        Map.of(),
        true);
  }
}
