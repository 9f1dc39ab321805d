package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several JVMs share one file. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("slow")
class SqliteProcessesTest {

  private static final long WINDOW_MS = 5_000;

  /** What one process says about one turn: {@code fence takenAtMs givenBackAtMs}. */
  private record Turn(int process, long fence, long takenAtMs, long givenBackAtMs) {
    static Turn parse(int process, String line) {
      String[] words = line.split(" ", -1);
      return new Turn(
          process, Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }

  /** Waits for the key, holds it for a moment, and comes back at once, until it is told to stop. */
  static final class Worker {
    public static void main(String[] arguments) throws Exception {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]));
          Locks locks = Locks.over(backend)) {
        System.out.println("ready");
        System.in.read();
        long end = System.currentTimeMillis() + Long.parseLong(arguments[1]);
        while (System.currentTimeMillis() < end) {
          StringBuilder turn = new StringBuilder();
          try (Lease lease =
              locks.lock("report").waitUpTo(Duration.ofMinutes(1)).acquire()) {
            turn.append(lease.fence().value()).append(' ').append(System.currentTimeMillis());
            Thread.sleep(1);
            turn.append(' ').append(System.currentTimeMillis());
          }
          System.out.println(turn);
        }
      }
    }
  }

  @Test
  void twoProcessesExcludeEachOther() {
    List<Turn> turns = run(2, Duration.ofSeconds(3));
    assertThat(turns).extracting(Turn::process).contains(0, 1);
  }

  @Test
  void everyOneOfEightProcessesProgressesInEveryFiveSeconds() {
    int processes = 8;
    List<Turn> turns = run(processes, Duration.ofMillis(2 * WINDOW_MS + 500));
    long start = turns.get(0).takenAtMs;
    long lastWindow = start + WINDOW_MS;
    for (int process = 0; process < processes; process++) {
      for (long from = start; from <= lastWindow; from += WINDOW_MS / 10) {
        assertThat(turnsBetween(turns, process, from, from + WINDOW_MS))
            .as("turns of process %d within 5 s, from %d ms on", process, from - start)
            .isPositive();
      }
    }
  }

  private static long turnsBetween(List<Turn> turns, int process, long fromMs, long toMs) {
    return turns.stream()
        .filter(turn -> turn.process == process)
        .filter(turn -> turn.takenAtMs >= fromMs && turn.takenAtMs < toMs)
        .count();
  }

  /** Returns the turns of all in the order of their fences, after checking that they exclude each other. */
  private static List<Turn> run(int processes, Duration duration) {
    List<Turn> turns = new ArrayList<>();
    List<ChildJvm> children = new ArrayList<>();
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      Path file = directory.path().resolve("locks.db");
      for (int i = 0; i < processes; i++) {
        children.add(ChildJvm.run(Worker.class, file, duration.toMillis()));
      }
      children.forEach(child -> assertThat(child.nextLine()).isEqualTo("ready"));
      children.forEach(ChildJvm::tell);
      for (int i = 0; i < processes; i++) {
        int process = i;
        children.get(i).rest().forEach(line -> turns.add(Turn.parse(process, line)));
        assertThat(children.get(i).exitCode()).isZero();
      }
      assertThat(RawSqlite.number(file, "SELECT count(*) FROM waiters"))
          .as("waiters left behind")
          .isZero();
    } finally {
      children.forEach(ChildJvm::close);
    }
    turns.sort(Comparator.comparing(Turn::fence));
    for (int i = 1; i < turns.size(); i++) {
      assertThat(turns.get(i).fence).isGreaterThan(turns.get(i - 1).fence);
      assertThat(turns.get(i).takenAtMs)
          .as("the holder of fence %d began after its predecessor", turns.get(i).fence)
          .isGreaterThanOrEqualTo(turns.get(i - 1).givenBackAtMs);
    }
    return turns;
  }
}
