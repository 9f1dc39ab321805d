package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the process beside us does, on a clock that only moves when we move it. */
class WardenTest {

  private static final StopPlan PLAN = new StopPlan(Duration.ofMillis(100), Duration.ofMillis(400));

  @TempDir
  Path directory;

  private Duration remaining = Duration.ofSeconds(10);
  private Warden warden;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void startWarden() {
    clockSays("100.00");
    warden = Warden.start(
        PLAN,
        () -> remaining,
        new Executables(System.getenv("PATH")),
        new SharedClock(directory.resolve("uptime")));
  }

  @AfterEach
  void endAll() throws Exception {
    warden.dismiss();
    warden.outcome();
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aCommandBeginsOnlyWhenItIsGuarded() throws Exception {
    List<String> waiting = warden.behindGate(List.of("touch", "begun")).orElseThrow();
    Path gate = Path.of(waiting.get(3));
    assertThat(gate).exists();
    Process command = start(builder(waiting));
    assertThat(command.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(directory.resolve("begun")).doesNotExist();

    warden.guard(command.pid());
    assertThat(command.waitFor()).isZero();
    assertThat(directory.resolve("begun")).exists();
    assertThat(gate).as("what it waited at").doesNotExist();
  }

  @Test
  void aCommandNeverBeginsIfTheWardenEndsBefore() throws Exception {
    Process command = atTheGate("touch", "begun");
    warden.dismiss();

    assertThat(command.waitFor()).isEqualTo(ExitCode.INTERNAL);
    assertThat(directory.resolve("begun")).doesNotExist();
  }

  @Test
  void aCommandThatComesToTheGateTooLateNeverBegins() throws Exception {
    List<String> waiting = warden.behindGate(List.of("touch", "begun")).orElseThrow();
    warden.dismiss();
    assertThat(warden.outcome()).isEqualTo(Warden.Outcome.IDLE);
    Process command = start(builder(waiting));

    assertThat(command.waitFor()).isEqualTo(ExitCode.INTERNAL);
    assertThat(directory.resolve("begun")).doesNotExist();
  }

  @Test
  void aMachineThatSleptThroughTheDeadlineHasLostItsLeaseWhateverIsSaidAfterwards()
      throws Exception {
    Process command = atTheGate("sleep", "1000");
    warden.guard(command.pid());
    warden.confirm();
    assertThat(command.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();

    clockSays("109.51"); // 10 s, less what the plan keeps for stopping.
    warden.confirm();
    assertThat(command.waitFor()).isEqualTo(ExitCode.ofSignal(15));
    assertThat(warden.outcome()).isEqualTo(Warden.Outcome.STOPPED_ALONE);
  }

  @Test
  void aLeaseThatIsRenewedInTimeGoesOn() throws Exception {
    Process command = atTheGate("sleep", "1000");
    warden.guard(command.pid());
    clockSays("109.49");
    warden.confirm();
    Thread.sleep(300); // It needs a moment to read that.
    clockSays("118.98");

    assertThat(command.waitFor(1500, TimeUnit.MILLISECONDS)).isFalse();
  }

  @Test
  void oneThatReplacesAnotherGuardsTheCommandBeforeItIsToldAnything() throws Exception {
    Process command = start(builder(List.of("sleep", "1000")));
    warden.dismiss();
    warden.outcome();
    warden = Warden.startGuarding(
        command.pid(),
        PLAN,
        () -> remaining,
        new Executables(System.getenv("PATH")),
        new SharedClock(directory.resolve("uptime")));
    clockSays("200.00");

    assertThat(command.waitFor()).isEqualTo(ExitCode.ofSignal(15));
    assertThat(warden.outcome()).isEqualTo(Warden.Outcome.STOPPED_ALONE);
  }

  @Test
  void aCommandThatComesAfterTheDeadlineIsNotLetThrough() throws Exception {
    Process command = atTheGate("touch", "begun");
    clockSays("200.00");
    warden.guard(command.pid());

    assertThat(command.waitFor()).isEqualTo(ExitCode.INTERNAL);
    assertThat(warden.outcome()).isEqualTo(Warden.Outcome.STOPPED_ALONE);
    assertThat(directory.resolve("begun")).doesNotExist();
  }

  @Test
  void theCommandGetsItsEnvironmentUnchanged() throws Exception {
    List<String> waiting = warden.behindGate(List.of("env", "-0")).orElseThrow();
    ProcessBuilder builder =
        builder(waiting).redirectOutput(directory.resolve("out").toFile());
    builder.environment().put("BASH_ENV", "/nowhere/else");
    builder.environment().put("BASH_FUNC_f%%", "() {  :\n}");
    builder.environment().put("with.dot", "line\nbreak");
    Process command = start(builder);
    warden.guard(command.pid());

    assertThat(command.waitFor()).isZero();
    assertThat(Files.readString(directory.resolve("out")).split("\0"))
        .contains("BASH_ENV=/nowhere/else", "BASH_FUNC_f%%=() {  :\n}", "with.dot=line\nbreak")
        .noneMatch(variable -> variable.startsWith("SYNCGUARD_"));
  }

  private void clockSays(String uptime) {
    try {
      Path next = Files.writeString(directory.resolve("next"), uptime + " 0.00\n");
      Files.move(next, directory.resolve("uptime"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process atTheGate(String... words) throws IOException {
    return start(builder(warden.behindGate(List.of(words)).orElseThrow()));
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private ProcessBuilder builder(List<String> waiting) {
    return new ProcessBuilder(waiting).directory(directory.toFile()).inheritIO();
  }
}
