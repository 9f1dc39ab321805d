package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.RealProgram.Running;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What differs at a terminal, which {@code script} makes for us. */
class TerminalTest {

  private static final String CTRL_C = "\003";

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void theCommandKeepsTheTerminal() {
    Running terminal = atTerminal(
        "run",
        "demo",
        "--",
        "bash",
        "-c",
        "read -p 'Password: ' -s word < /dev/tty; echo got $word > /dev/tty");
    terminal.awaitOutput("Password: ");
    terminal.type("swordfish\r");

    terminal.awaitOutput("got swordfish");
    assertThat(terminal.answer().exitCode()).isZero();
  }

  @Test
  void anInterruptReachesTheCommandOnce() {
    Running terminal = atTerminal(
        "run",
        "demo",
        "--",
        "bash",
        "-c",
        "n=0; trap 'n=$((n+1))' INT; echo ready; while [ $n = 0 ]; do sleep 0.1; done; sleep 0.5; exit $((40 + n))");
    terminal.awaitOutput("ready");
    terminal.type(CTRL_C);

    RealProgram.await("it ends", () -> !terminal.process().isAlive());
    assertThat(terminal.process().exitValue()).isEqualTo(41);
    assertThat(program.run("is-locked", "demo").exitCode()).isEqualTo(1);
  }

  @Test
  void theHelpersOfTheCommandAreStoppedWithIt() {
    Running terminal = atTerminal(
        "run",
        "--ttl",
        "6s",
        "demo",
        "--",
        "bash",
        "-c",
        "trap '' TERM; bash -c 'trap \"\" TERM HUP; echo ready; sleep 1000; sleep 1000' & wait; wait");
    terminal.awaitOutput("ready");
    List<ProcessHandle> all = terminal.process().descendants().toList();
    String id =
        program.run("lookup", "demo", "--raw").out().replaceAll("(?s).*lock id    (\\S+).*", "$1");
    assertThat(program.run("release", "--lock-id=" + id).exitCode()).isZero();

    assertThat(terminal.answer().exitCode()).isEqualTo(69);
    RealProgram.await("nobody is left", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void watchShowsTheLocksUntilQIsPressed() {
    program.run("acquire", "demo", "--ttl", "1h");
    Running terminal = atTerminal("watch", "--interval", "100ms");
    terminal.awaitOutput("1 live lock at ").awaitOutput("002efde3");
    program.run("acquire", "other");
    terminal.awaitOutput("2 live locks at ");
    terminal.type("q");

    RealProgram.await("it ends", () -> !terminal.process().isAlive());
    assertThat(terminal.process().exitValue()).isZero();
    assertThat(terminal.out()).contains("\033[?1049h").contains("\033[?25h\033[?1049l");
  }

  @Test
  void watchEndsWithAnInterruptToo() {
    Running terminal = atTerminal("watch");
    terminal.awaitOutput("0 live locks at ");
    terminal.type(CTRL_C);

    RealProgram.await("it ends", () -> !terminal.process().isAlive());
    assertThat(terminal.process().exitValue()).isZero();
    assertThat(terminal.out()).contains("\033[?25h\033[?1049l");
  }

  @Test
  void withoutATerminalWatchTellsWhatChanged() {
    program.run("acquire", "demo", "--ttl", "1h");
    Running watch = program.start("watch", "--interval", "100ms");
    watch.awaitOutput("  locked  002efde324ebf689a3ed4815  fence 000000000000001");
    String id =
        program.run("lookup", "demo", "--raw").out().replaceAll("(?s).*lock id    (\\S+).*", "$1");
    program.run("release", "--lock-id=" + id);
    watch.awaitOutput("  free    002efde324ebf689a3ed4815  fence 000000000000001");
    RealProgram.kill("TERM", watch.pid());

    assertThat(watch.answer().exitCode()).isEqualTo(143);
    assertThat(watch.out()).hasLineCount(2).doesNotContain("\033");
  }

  private Running atTerminal(String... arguments) {
    String command = java.util.stream.Stream.concat(
            RealProgram.java().stream(), List.of(arguments).stream())
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
    return program.startCommand(List.of("script", "-qefc", "exec " + command, "/dev/null"));
  }
}
