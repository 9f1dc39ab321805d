package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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

  private static final int TURNS = 60;

  /** What one process says about one turn: {@code fence takenAtMs givenBackAtMs}. */
  private record Turn(int process, long fence, long takenAtMs, long givenBackAtMs) {
    static Turn parse(int process, String line) {
      String[] words = line.split(" ", -1);
      return new Turn(
          process, Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }

  /** Waits for the key, holds it for a moment, and comes back at once, so many times. */
  static final class Worker {
    public static void main(String[] arguments) throws Exception {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]));
          Locks locks = Locks.over(backend)) {
        System.out.println("ready");
        System.in.read();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
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
    assertThat(run(2)).hasSize(2 * TURNS);
  }

  /** Judged by the order of turns: how long one takes is for a busy machine to say. */
  @Test
  void noneOfEightProcessesStarvesHoweverSoonTheOthersComeBack() {
    int processes = 8;
    List<Turn> turns = run(processes);
    int[] taken = new int[processes];
    int turn = 0;
    while (Arrays.stream(taken).max().orElseThrow() < TURNS) {
      taken[turns.get(turn).process]++;
      turn++;
    }
    assertThat(taken).as("turns when the first of them had all of its own").doesNotContain(0);
  }

  /** Returns the turns of all in the order of their fences, after checking that they exclude each other. */
  private static List<Turn> run(int processes) {
    List<Turn> turns = new ArrayList<>();
    List<ChildJvm> children = new ArrayList<>();
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      Path file = directory.path().resolve("locks.db");
      for (int i = 0; i < processes; i++) {
        children.add(ChildJvm.run(Worker.class, file, TURNS));
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
