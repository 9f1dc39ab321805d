package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.RealProgram.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code run} promises about locks, exit codes and signals, seen from outside. */
class RunTest {

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void eachRunHandsAHigherFenceToItsCommand() {
    String[] showFence = {"run", "demo", "--", "sh", "-c", "echo fence $SYNCGUARD_FENCE"};

    assertThat(program.run(showFence).out()).isEqualTo("fence 000000000000001\n");
    assertThat(program.run(showFence).out()).isEqualTo("fence 000000000000002\n");
  }

  @Test
  void theCommandKnowsItsLockId() {
    Answer answer = program.run("run", "demo", "--", "sh", "-c", "echo ${#SYNCGUARD_LOCK_ID}");

    assertThat(answer).isEqualTo(new Answer(0, "22\n", ""));
  }

  @Test
  void theLockIsHeldWhileTheCommandRunsAndFreeAfterwards() {
    Running running = program.start("run", "demo", "--", "sh", "-c", "echo ready; read line");
    running.awaitOutput("ready");

    assertThat(program.run("is-locked", "demo").exitCode()).isZero();
    running.type("go\n");
    assertThat(running.answer().exitCode()).isZero();
    assertThat(program.run("is-locked", "demo").exitCode()).isEqualTo(1);
  }

  @Test
  void aBusyLockIsSaidByTheExitCode() {
    Running holder = program.start("run", "demo", "--", "sh", "-c", "echo ready; read line");
    holder.awaitOutput("ready");

    Answer busy = program.run("run", "--no-wait", "demo", "--", "echo", "never");
    assertThat(busy.exitCode()).isEqualTo(75);
    assertThat(busy.out()).isEmpty();
    assertThat(busy.err()).contains("busy").doesNotContain("demo");
    assertThat(program.run(
            "run", "--wait", "100ms", "--busy-exit-code", "0", "demo", "--", "echo", "never"))
        .satisfies(answer -> assertThat(answer.exitCode()).isZero())
        .satisfies(answer -> assertThat(answer.out()).isEmpty());
    assertThat(program
            .run("run", "--no-wait", "--json", "demo", "--", "echo", "never")
            .golden())
        .isEqualTo("{\"ok\":false,\"reason\":\"locked\",\"keyHash\":\"002efde324ebf689a3ed4815\"}");
  }

  @Test
  void theExitCodeIsThatOfTheCommand() {
    for (int code : new int[] {0, 1, 2, 69, 75, 130, 255}) {
      assertThat(program.run("run", "demo", "--", "sh", "-c", "exit " + code).exitCode())
          .isEqualTo(code);
    }
    assertThat(program.run("run", "demo", "--", "sh", "-c", "kill -TERM $$").exitCode())
        .isEqualTo(143);
  }

  @Test
  void aCommandThatCannotBeRunNeverTakesTheLock() throws Exception {
    Path text = Files.writeString(program.file("text"), "");

    assertThat(program.run("run", "demo", "--", "no-such-command").exitCode()).isEqualTo(127);
    assertThat(program.run("run", "demo", "--", text.toString()).exitCode()).isEqualTo(126);
    assertThat(program.store()).doesNotExist();
  }

  @Test
  void inputAndArgumentsReachTheCommandUnchanged() {
    Running running = program.start(
        "run",
        "demo",
        "--",
        "sh",
        "-c",
        "cat; printf '[%s]' \"$@\"",
        "sh",
        "--",
        "--json",
        "a  b",
        "");
    running.type("one\ntwo");

    assertThat(running.answer()).isEqualTo(new Answer(0, "one\ntwo[--][--json][a  b][]", ""));
  }

  @Test
  void withJsonTheLastLineTellsHowItEnded() {
    Answer answer = program.run("run", "--json", "demo", "--", "sh", "-c", "exit 3");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.golden())
        .isEqualTo(
            "{\"ok\":false,\"fence\":\"000000000000001\",\"keyHash\":\"002efde324ebf689a3ed4815\","
                + "\"lockIdHash\":HASH,\"exitCode\":3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP", "USR1", "USR2"})
  void signalsReachTheCommandOnce(String signal) {
    String counting = "n=0; trap 'n=$((n+1))' " + signal
        + "; echo ready; while [ $n -eq 0 ]; do read -t 0.1 line; done; read -t 0.5 line; exit $((40 + n))";
    Running running = program.start("run", "demo", "--", "bash", "-c", counting);
    running.awaitOutput("ready");
    RealProgram.kill(signal, running.pid());
    RealProgram.await("it ends", () -> !running.process().isAlive());

    assertThat(running.process().exitValue()).isEqualTo(41);
    assertThat(program.run("is-locked", "demo").exitCode()).isEqualTo(1);
  }

  @Test
  void aSignalReachesTheHelpersOfTheCommandToo() {
    Running running = program.start("run", "demo", "--", "sh", "-c", "sleep 1000; echo after");
    RealProgram.await(
        "it holds the lock", () -> program.run("is-locked", "demo").exitCode() == 0);
    RealProgram.await("the helper runs", () -> running.process().descendants().count() >= 3);
    List<ProcessHandle> all = running.process().descendants().toList();
    RealProgram.kill("TERM", running.pid());

    assertThat(running.answer().exitCode()).isEqualTo(143);
    RealProgram.await("nobody is left", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void aSignalEndsTheWaitForABusyLock() {
    program.run("acquire", "demo", "--ttl", "1h");
    Running waiting = program.start("run", "--wait", "1h", "demo", "--", "echo", "never");
    RealProgram.await("it waits", () -> Files.exists(program.file("locks.db-wal")));
    RealProgram.await("signals are caught", () -> catches(waiting.pid()));
    RealProgram.kill("TERM", waiting.pid());

    assertThat(waiting.answer()).isEqualTo(new Answer(143, "", ""));
  }

  @Test
  void whatAKilledCommandLeavesBehindIsStoppedBeforeTheLockIsFree() {
    Path log = program.file("log");
    Answer answer = program.run(
        "run",
        "--kill-after",
        "100ms",
        "demo",
        "--",
        "bash",
        "-c",
        "(trap '' TERM; while :; do date >> " + log + "; sleep 0.05; done) & " + "while [ ! -s "
            + log + " ]; do sleep 0.05; done; kill -KILL $$");

    assertThat(answer.exitCode()).isEqualTo(137);
    long size = log.toFile().length();
    Answer next = program.run("run", "demo", "--", "sleep", "0.3");
    assertThat(next.exitCode()).isZero();
    assertThat(log.toFile().length()).as("the helper still writes").isEqualTo(size);
  }

  @Test
  void aServiceThatACommandStartedOutlivesIt() throws Exception {
    Path file = program.file("later");
    assertThat(program
            .run("run", "demo", "--", "sh", "-c", "(sleep 1; echo done > " + file + ") &")
            .exitCode())
        .isZero();

    RealProgram.await("the service has worked", () -> Files.exists(file));
  }

  /** The JVM catches USR1 only once our handlers are installed. */
  private static boolean catches(long pid) {
    try {
      String mask = Files.readString(Path.of("/proc/" + pid + "/status"))
          .replaceAll("(?s).*SigCgt:\\s*([0-9a-f]+).*", "$1");
      return (Long.parseUnsignedLong(mask, 16) & (1L << 9)) != 0;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
