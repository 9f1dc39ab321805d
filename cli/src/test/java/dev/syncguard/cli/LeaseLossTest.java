package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.RealProgram.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to the store or to us, the command and its helpers are gone before the lease ends. */
@Tag("slow")
class LeaseLossTest {

  @RegisterExtension
  final RealProgram program = new RealProgram();

  /** A command that cannot be stopped but by force, with a helper in a session of its own; both write down when they lived last. */
  private Running startIgnoringTerm(String... options) {
    return startIgnoringTerm(List.of(), options);
  }

  private Running startIgnoringTerm(List<String> wrapper, String... options) {
    String pulse = "trap '' TERM; exec 7<> <(:); while :; do now=${EPOCHREALTIME/[.,]/};"
        + " echo ${now%???} >" + program.file("pulse") + ".$1; read -r -t 0.02 -u 7; done";
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(RealProgram.java());
    command.add("run");
    command.addAll(List.of(options));
    command.addAll(List.of(
        "demo",
        "--",
        "bash",
        "-c",
        "setsid bash -c '" + pulse.replace("'", "'\\''") + "' helper 2 & set -- 1; " + pulse));
    Running running = program.startCommand(command);
    RealProgram.await("both live", () -> lastPulse(1) > 0 && lastPulse(2) > 0);
    return running;
  }

  private long lastPulse(int number) {
    Path file = program.file("pulse." + number);
    try {
      String text = Files.exists(file) ? Files.readString(file).strip() : "";
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks the file itself: to start a program takes longer than a lease lasts on a machine that is busy enough. */
  private long leaseEnd() {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + program.store());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(
            "SELECT expires_at_ms FROM locks WHERE key = 'demo' AND lock_id IS NOT NULL")) {
      assertThat(rows.next()).as("the lock is held").isTrue();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertBothDiedBefore(long leaseEnd) {
    // Long enough after the end for another pulse to have been seen.
    RealProgram.await("the lease has ended", () -> System.currentTimeMillis() > leaseEnd + 1000);
    assertThat(lastPulse(1)).as("the command").isLessThan(leaseEnd);
    assertThat(lastPulse(2)).as("its helper").isLessThan(leaseEnd);
  }

  @Test
  void aStoreThatNoLongerAnswers() throws Exception {
    Running running = startIgnoringTerm("--ttl", "8s");
    long leaseEnd;
    try (Connection blocker = DriverManager.getConnection("jdbc:sqlite:" + program.store());
        Statement statement = blocker.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute("BEGIN IMMEDIATE");
      leaseEnd = leaseEnd();
      RealProgram.await(
          "the command is stopped", () -> running.err().contains("stopping the command"));
      assertBothDiedBefore(leaseEnd);
      statement.execute("ROLLBACK");
    }
    Answer answer = running.answer();
    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.err()).contains("can no longer be promised");
  }

  @Test
  void beingKilledOurselves() {
    Running running = startIgnoringTerm("--ttl", "8s");
    RealProgram.kill("KILL", running.pid());
    long leaseEnd = leaseEnd();

    assertBothDiedBefore(leaseEnd);
    assertThat(running.err()).contains("was killed; stopping the command");
    assertThat(program
            .run("run", "--wait", "30s", "demo", "--", "sh", "-c", "echo $SYNCGUARD_FENCE")
            .out())
        .as("the lock ends by itself")
        .isEqualTo("000000000000002\n");
  }

  @Test
  void beingKilledWhenNobodyReadsWhatWeSayAnyMore() {
    Running running = startIgnoringTerm(
        List.of("bash", "-c", "exec \"$@\" 2> >(:)", "without-reader"), "--ttl", "8s");
    RealProgram.kill("KILL", running.pid());

    assertBothDiedBefore(leaseEnd());
  }

  @Test
  void beingKilledWhenThoseWhoReadWhatWeSayAreSlow() {
    // Nothing more fits into the pipe, as when somebody scrolls back in a pager.
    String full = "exec 5> >(exec sleep 1000);"
        + " dd if=/dev/zero of=/dev/fd/5 bs=4096 count=1000 oflag=nonblock 2>/dev/null;"
        + " exec \"$@\" 2>&5 5>&-";
    Running running = startIgnoringTerm(List.of("bash", "-c", full, "slow-reader"), "--ttl", "8s");
    RealProgram.kill("KILL", running.pid());

    assertBothDiedBefore(leaseEnd());
  }

  @Test
  void beingKilledWhereNoProcessesCanBeListedOrStarted() throws Exception {
    Path programs = Files.createDirectory(program.file("programs"));
    for (String name : List.of("bash", "setsid", "mktemp", "mkfifo", "rm")) {
      Files.createSymbolicLink(
          programs.resolve(name),
          new Executables(System.getenv("PATH")).find(name).orElseThrow().toAbsolutePath());
    }
    program.with("PATH", programs.toString());
    Running running = startIgnoringTerm("--ttl", "8s");
    RealProgram.kill("KILL", running.pid());

    assertBothDiedBefore(leaseEnd());
  }

  @Test
  void beingKilledByTheFirstThingThatTheCommandDoes() throws Exception {
    Path pulse = program.file("pulse.1");
    program.start(
        "run",
        "--ttl",
        "3s",
        "demo",
        "--",
        "bash",
        "-c",
        "kill -KILL $PPID; while :; do date +%s%3N > " + pulse + "; sleep 0.02; done");
    RealProgram.await("it lives", () -> lastPulse(1) > 0);
    long leaseEnd = leaseEnd();

    RealProgram.await("the lease has ended", () -> System.currentTimeMillis() > leaseEnd + 1000);
    assertThat(lastPulse(1)).isLessThan(leaseEnd);
  }

  @Test
  void beingSuspendedOurselves() {
    Running running = startIgnoringTerm("--ttl", "8s");
    RealProgram.kill("STOP", running.pid());
    assertBothDiedBefore(leaseEnd());
    RealProgram.kill("CONT", running.pid());

    Answer answer = running.answer();
    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.err()).contains("suspended");
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "STOP"})
  void losingTheWardenFirst(String signal) {
    Running running = startIgnoringTerm("--ttl", "8s");
    long lost = warden(running);
    RealProgram.kill(signal, lost);
    RealProgram.await("there is another one", () -> warden(running) > 0 && warden(running) != lost);
    RealProgram.kill("STOP", running.pid());

    assertBothDiedBefore(leaseEnd());
    RealProgram.kill("CONT", running.pid());
    assertThat(running.answer().exitCode()).isEqualTo(69);
  }

  private static long warden(Running running) {
    return running
        .process()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains("syncguard-warden"))
        .mapToLong(ProcessHandle::pid)
        .findFirst()
        .orElse(0);
  }

  @Test
  void aLeaseThatSomebodyElseEnded() {
    Running running = startIgnoringTerm("--ttl", "3s", "--json");
    String id = program
        .run("lookup", "demo", "--raw", "--json")
        .out()
        .replaceAll("(?s).*\"lockId\":\"([^\"]+)\".*", "$1");
    assertThat(program.run("release", "--lock-id=" + id).exitCode()).isZero();

    Answer answer = running.answer();
    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.out())
        .contains("\"ok\":false")
        .contains("\"reason\":\"lost\"")
        .hasLineCount(1);
  }

  @Test
  void holdingItForTooLong() {
    Running running = startIgnoringTerm("--max-hold", "4s", "--json");
    long leaseEnd = leaseEnd();

    Answer answer = running.answer();
    assertThat(answer.exitCode()).isEqualTo(137);
    assertThat(answer.out()).contains("\"reason\":\"max-hold\"");
    assertThat(answer.err()).contains("--max-hold");
    assertBothDiedBefore(leaseEnd);
  }

  @Test
  void aCommandThatWasStoppedHasNotSucceededWhateverItSays() {
    Answer answer = program.run(
        "run",
        "--max-hold",
        "2s",
        "demo",
        "--",
        "bash",
        "-c",
        "trap 'exit 0' TERM; while :; do sleep 0.05; done");

    assertThat(answer.exitCode()).isEqualTo(143);
  }

  @Test
  void aLongCommandKeepsItsLockFarBeyondTheTtl() {
    Answer answer = program.run("run", "--ttl", "2s", "demo", "--", "sleep", "7");

    assertThat(answer).isEqualTo(new Answer(0, "", ""));
  }
}
