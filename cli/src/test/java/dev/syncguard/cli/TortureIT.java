package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The campaign as a user starts it, with real processes that are really killed. */
class TortureIT {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void aSoundStoreIsAccusedOfNothingAndNoLockStays() throws Exception {
    Answer answer = program
        .start(
            "torture",
            "--minutes",
            "0.2",
            "--seed",
            "3",
            "--patience",
            "30s",
            "--report",
            "out",
            "--json")
        .answer(PATIENCE);
    assertThat(answer.exitCode()).as(answer.toString()).isZero();
    assertThat(answer.out()).contains("\"ok\":true", "\"violations\":0", "\"seed\":3");
    Path report = program.file("out");
    assertThat(Files.readString(report.resolve("report.html"))).contains("No promise was broken");
    assertThat(Files.readString(report.resolve("report.json")))
        .contains("\"kill\":", "\"questions\":{\"kept\":", "\"broken\":0");
    assertThat(program.run("list", "--json").out()).contains("\"locks\":[]");
  }

  @Test
  void aStoreThatForgetsIsFound() {
    // A file that vanishes is what a restart without persistence is to a server.
    Answer answer = program
        .start(
            "torture",
            "--minutes",
            "0.2",
            "--seed",
            "3",
            "--report",
            "out",
            "--with-store-restarts",
            "rm -f '" + program.store() + "'*")
        .answer(PATIENCE);
    assertThat(answer.exitCode()).as(answer.toString()).isEqualTo(1);
    assertThat(answer.out()).contains("broken promise");
  }

  @Test
  void ctrlCEndsItWithTheReportSoFar() {
    RealProgram.Running running =
        program.start("torture", "--minutes", "10", "--patience", "30s", "--report", "out");
    RealProgram.await("it runs", () -> running.err().contains("locks,"));
    RealProgram.kill("INT", running.pid());
    Answer answer = running.answer(PATIENCE);
    assertThat(answer.exitCode()).as(answer.toString()).isEqualTo(130);
    assertThat(program.file("out").resolve("report.html")).exists();
  }

  @Test
  void itTeachesAndAsksForAStore() {
    assertThat(program.run("torture", "--help").out())
        .contains("--with-store-restarts", "--seed", "fence counters", "Exit codes");
    Answer answer = program.without("SYNCGUARD_STORE").run("torture");
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("Say which store to torture");
    assertThat(program.run("torture", "--without", "kil").err()).contains("kill, pause");
    assertThat(program.run("torture", "--threads", "10").err())
        .contains("A worker must have 1 to 9 threads");
  }
}
