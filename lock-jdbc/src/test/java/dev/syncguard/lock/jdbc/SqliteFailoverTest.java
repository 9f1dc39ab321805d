package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaders in processes of their own: one is killed, one is told to end, one steps down.
 *
 * <p>Prints how long each took. More than one round with {@code -Dsyncguard.failovers=10}, another ttl with
 * {@code -Dsyncguard.failover.ttl=15000}.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SqliteFailoverTest {

  private static final long TTL = Long.getLong("syncguard.failover.ttl", 3_000);

  @TempDir
  Path directory;

  /** What a process said: a word, the term and the time. */
  private record Line(String word, long term, long millis) {
    static Line of(ChildJvm process) {
      String line = process.nextLine();
      while (line.equals("ready")) {
        line = process.nextLine();
      }
      String[] parts = line.split(" ", -1);
      return new Line(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  private ChildJvm stand() {
    return ChildJvm.run(SqliteLeader.class, directory.resolve("locks.db"), TTL);
  }

  @Test
  void theNextLeaderIsThereWheneverOneIsKilledOrEndsOrStepsDown() {
    List<ChildJvm> processes = new ArrayList<>();
    try {
      ChildJvm leader = start(processes);
      long term = leads(leader, 0).term();
      for (int round = 0; round < Integer.getInteger("syncguard.failovers", 1); round++) {
        ChildJvm next = start(processes);
        awaitStanding(next);
        long killed = System.currentTimeMillis();
        leader.kill();
        Line afterKill = leads(next, term);
        report("killed", killed, afterKill);
        leader = next;

        next = start(processes);
        awaitStanding(next);
        long ended = System.currentTimeMillis();
        leader.signal("TERM");
        Line stopped = Line.of(leader);
        assertThat(stopped.word()).isEqualTo("stopped");
        Line afterEnd = leads(next, afterKill.term());
        assertThat(afterEnd.millis()).isGreaterThanOrEqualTo(stopped.millis());
        report("ended", ended, afterEnd);

        leader = next;
        next = start(processes);
        awaitStanding(next);
        long told = System.currentTimeMillis();
        leader.tell();
        stopped = Line.of(leader);
        assertThat(stopped.word()).isEqualTo("stopped");
        Line afterStep = leads(next, afterEnd.term());
        assertThat(afterStep.millis()).isGreaterThanOrEqualTo(stopped.millis());
        report("stepped down", told, afterStep);
        leader.kill();
        leader = next;
        term = afterStep.term();
      }
    } finally {
      processes.forEach(ChildJvm::close);
    }
  }

  private ChildJvm start(List<ChildJvm> processes) {
    ChildJvm process = stand();
    processes.add(process);
    return process;
  }

  /** Whoever has not come to the line yet may find the same leader in office again. */
  private void awaitStanding(ChildJvm next) {
    next.awaitReady();
    try (SqliteLockBackend backend = SqliteLockBackend.open(directory.resolve("locks.db"));
        Locks locks = Locks.over(backend)) {
      while (locks.getByKey("leader").map(lock -> lock.waiting().orElse(0)).orElse(0) == 0) {
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  private static Line leads(ChildJvm process, long earlierTerm) {
    Line line = Line.of(process);
    assertThat(line.word()).isEqualTo("leads");
    assertThat(line.term()).isGreaterThan(earlierTerm);
    return line;
  }

  private static void report(String what, long since, Line leads) {
    System.out.println(
        "Leader " + what + ": the next one leads after " + (leads.millis() - since) + " ms");
  }
}
