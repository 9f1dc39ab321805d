package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.RealProgram.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many shells that want one lock at once.
 *
 * <p>{@code -Dsyncguard.cli.shells=200} starts as many, a JVM each, and prints what they cost while they wait.
 */
@Tag("slow")
class ManyRunsTest {

  private static final int SHELLS = Integer.getInteger("syncguard.cli.shells", 8);
  private static final Duration PATIENCE = Duration.ofSeconds(60).plusSeconds(5L * SHELLS);
  private static final Duration IDLE = Duration.ofSeconds(SHELLS > 100 ? 30 : 2);

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void shellsThatComeAtOnceTakeTurnsInTheOrderInWhichTheyCame() throws Exception {
    Path log = program.file("log");
    Running holder = program.start("run", "demo", "--", "sh", "-c", "echo ready; read line");
    holder.awaitOutput("ready");
    String critical = "echo begin $SYNCGUARD_FENCE $SYNCGUARD_LOCK_ID >> " + log
        + "; sleep 0.05; echo end $SYNCGUARD_FENCE >> " + log;
    List<Running> shells = new ArrayList<>();
    for (int i = 0; i < SHELLS; i++) {
      shells.add(program.start("run", "--wait", "1h", "demo", "--", "sh", "-c", critical));
    }
    RealProgram.await("all stand in line", PATIENCE, () -> line().size() == SHELLS);
    List<String> line = line();
    reportIdleCost(shells);
    long released = System.nanoTime();
    holder.type("go\n");
    assertThat(holder.answer().exitCode()).isZero();
    for (Running shell : shells) {
      assertThat(shell.answer(PATIENCE)).isEqualTo(new Answer(0, "", ""));
    }
    System.out.printf(
        "%d runs took turns in %d ms%n", SHELLS, (System.nanoTime() - released) / 1_000_000);

    List<String> expected = new ArrayList<>();
    for (int i = 0; i < SHELLS; i++) {
      expected.add("begin %015d %s".formatted(i + 2, line.get(i)));
      expected.add("end %015d".formatted(i + 2));
    }
    assertThat(Files.readAllLines(log)).isEqualTo(expected);
  }

  /** Returns the lock ids of those who wait, as the file has them. */
  private List<String> line() {
    List<String> ids = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + program.store());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT lock_id FROM waiters ORDER BY ticket")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Printed, not asserted: how fast a processor is proves nothing about the program. */
  private static void reportIdleCost(List<Running> shells) throws InterruptedException {
    Duration before = cpu(shells);
    TimeUnit.MILLISECONDS.sleep(IDLE.toMillis());
    Duration used = cpu(shells).minus(before);
    System.out.printf(
        "%d idle runs used %.3f %% of a core each%n",
        shells.size(), 100.0 * used.toNanos() / IDLE.toNanos() / shells.size());
  }

  private static Duration cpu(List<Running> shells) {
    return shells.stream()
        .map(shell -> shell.process().info().totalCpuDuration().orElseThrow())
        .reduce(Duration.ZERO, Duration::plus);
  }
}
