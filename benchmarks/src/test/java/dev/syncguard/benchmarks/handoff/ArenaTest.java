package dev.syncguard.benchmarks.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArenaTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir
  Path directory;

  @Test
  void onlyPassesFromOneToAnotherAreHandOffs() throws Exception {
    Baton baton = Baton.in(directory.resolve("baton"));
    baton.open();
    for (long holder : new long[] {1, 1, 2, 2, 2, 1}) {
      baton.enter(holder);
      baton.leave(holder);
    }
    baton.close();
    baton.enter(2);

    assertThat(baton.handOffs()).isEqualTo(2);
  }

  @Test
  void processesSeeTheSameBatonThroughItsFile() throws Exception {
    Baton mine = Baton.in(directory.resolve("baton"));
    Baton theirs = Baton.in(directory.resolve("baton"));
    mine.open();
    mine.enter(1);

    assertThat(theirs.isOpen()).isTrue();
    assertThatThrownBy(() -> theirs.enter(2)).hasMessageContaining("at once");
  }

  @Test
  void aFairLockGoesRound() throws Exception {
    ReentrantLock lock = new ReentrantLock(true);
    try (Arena arena = arena(new Locking(lock))) {
      HandOffs handOffs = arena.contest(SHORT);

      assertThat(handOffs.perSecond()).isPositive();
      assertThat(handOffs.longestWaitMillis()).isPositive();
      assertThat(handOffs.jain()).isBetween(0.25, 1.0);
    }
  }

  @Test
  void aLockThatLetsTwoInIsFoundOut() throws Exception {
    try (Arena arena = arena(new Locking(new ReentrantLock()) {
      @Override
      public void underLock(Runnable work) {
        work.run();
      }
    })) {
      assertThatThrownBy(() -> arena.contest(SHORT))
          .hasRootCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aShowingSurvivesItsWayFromOneProcessToAnother() {
    Showing showing = new Showing(12, 3_400_000);

    assertThat(Showing.parse(showing.toString())).isEqualTo(showing);
  }

  @Test
  void theLongestWaitAndTheSharesOfAllCount() {
    HandOffs handOffs =
        HandOffs.of(30, 2, List.of(new Showing(30, 1_000_000), new Showing(10, 7_000_000)));

    assertThat(handOffs).isEqualTo(new HandOffs(15, 7, 0.8));
  }

  private Arena arena(Contender shared) throws Exception {
    return new ThreadArena(Collections.nCopies(4, shared), directory.resolve("baton"));
  }

  private static class Locking implements Contender {
    private final ReentrantLock lock;

    Locking(ReentrantLock lock) {
      this.lock = lock;
    }

    @Override
    public void underLock(Runnable work) {
      lock.lock();
      try {
        work.run();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {}
  }
}
