package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** How commands are called: the help that they offer, and what is said to somebody who got one wrong. */
class UsageTest extends ProgramTest {

  private static final String KEY = "secret-key";
  private static final String NO_SUCH_ID = "AAAAAAAAAAAAAAAAAAAAAA";

  @Test
  void anArgumentIsNeverTakenForTheNameOfAFile() {
    assertThat(syncguard("acquire", "@" + directory.resolve("locks.db")).exitCode())
        .isZero();
  }

  @Test
  void wrongUsageIsOneLineThatRepeatsNoArgument() {
    for (List<String> wrong : List.<List<String>>of(
        List.of(),
        List.of(KEY),
        List.of("acquire"),
        List.of("acquire", KEY, KEY),
        List.of("acquire", KEY, "--no-wait", "--wait", "5s"),
        List.of("acquire", KEY, "--ttl"),
        List.of("acquire", KEY, "--ttl", KEY),
        List.of("acquire", KEY, "--ttl", "0s"),
        List.of("acquire", KEY, "--ttl", "30d"),
        List.of("acquire", KEY, "--wait", "400d"),
        List.of("acquire", KEY, "--wiat=" + KEY),
        List.of("acquire", KEY, "--ttl", "5s", "--ttl", "6s"),
        List.of("acquire", KEY.repeat(60)),
        List.of("acquire", KEY + "\uFFFD"),
        List.of("release"),
        List.of("release", KEY),
        List.of("extend", NO_SUCH_ID, "--ttl", "1ns"),
        List.of("lookup"),
        List.of("lookup", KEY, "--lock-id", NO_SUCH_ID),
        List.of("list", "--limit", "0"),
        List.of("list", "--limit", KEY),
        List.of("watch", "--interval", "1ms"),
        List.of("run", KEY),
        List.of("run", KEY, "--"),
        List.of("run", KEY, "ls", "-l"),
        List.of("run", "--ttl", "500ms", KEY, "--", "true"),
        List.of("run", "--ttl", "30s", "--max-hold", "20s", KEY, "--", "true"),
        List.of("run", "--busy-exit-code", "256", KEY, "--", "true"),
        List.of("doctor", "--store", "mysql://user:" + KEY + "@host"),
        List.of("list", "--store", "sqlite:"))) {
      Answer answer = syncguard(wrong.toArray(String[]::new));
      assertThat(answer.exitCode()).as(wrong + ": " + answer.err()).isEqualTo(2);
      assertThat(answer.err())
          .startsWith("syncguard: ")
          .doesNotContain(KEY)
          .doesNotContain(NO_SUCH_ID);
      assertThat(answer.err().lines()).as(wrong.toString()).hasSize(1);
      assertThat(answer.out()).isEmpty();
      variables.put("SYNCGUARD_DEBUG", "true");
      assertThat(syncguard(wrong.toArray(String[]::new)).err())
          .as(wrong + " with the stack trace")
          .endsWith(answer.err())
          .doesNotContain(KEY)
          .doesNotContain(NO_SUCH_ID);
      variables.remove("SYNCGUARD_DEBUG");
    }
    assertThat(directory)
        .as("nothing is opened before the arguments are understood")
        .isEmptyDirectory();
  }

  @Test
  void anUnknownCommandIsAnsweredWithTheOneThatWasMeant() {
    assertThat(syncguard("acquir").err()).contains("acquire");
    assertThat(syncguard("acquire", KEY, "--tll", "5s").err()).contains("--tll");
  }

  @ParameterizedTest
  @CsvSource({
    "acquir, acquire",
    "relase, release",
    "is_locked, is-locked",
    "acq, acquire",
    "lsit, list",
    "rnu, run"
  })
  void aCommandThatIsNearlyRightIsGuessed(String typed, String meant) {
    assertThat(syncguard(typed).err()).contains("did you mean " + meant + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"deploy", "secret-key", "x", "rm", "status"})
  void aCommandThatIsFarFromAnyIsNotGuessed(String typed) {
    assertThat(syncguard(typed).err())
        .contains("no such command")
        .doesNotContain("did you mean")
        .contains("syncguard --help");
  }

  @Test
  void anUnknownCommandFailsAlsoIfItIsAskedForHelp() {
    for (List<String> wrong : List.of(
        List.of("acquir", "--help"),
        List.of("--json", "acquir", "--help"),
        List.of("--store", "sqlite:x", "acquir", "--help"),
        List.of("rules", "chek", "--help"),
        List.of("reader", "marc", "--help"),
        List.of("help", "acquir"))) {
      Answer answer = syncguard(wrong.toArray(String[]::new));
      assertThat(answer.exitCode()).as(wrong.toString()).isEqualTo(2);
      assertThat(answer.err()).contains("no such command").hasLineCount(1);
      assertThat(answer.out()).doesNotContain("Usage");
    }
  }

  @Test
  void helpIsACommandToo() {
    assertThat(syncguard("help")).isEqualTo(syncguard("--help"));
    assertThat(syncguard("help", "run")).isEqualTo(syncguard("run", "--help"));
    assertThat(syncguard("help", "rules", "check"))
        .isEqualTo(syncguard("rules", "check", "--help"));
    assertThat(syncguard("help").exitCode()).isZero();
    assertThat(syncguard("help", "--help")).isEqualTo(syncguard("--help"));
    assertThat(syncguard("help", "run", "-h")).isEqualTo(syncguard("run", "--help"));
  }

  @Test
  void theVersionIsAnOptionToo() {
    assertThat(syncguard("--version")).isEqualTo(syncguard("version"));
    assertThat(syncguard("--version").exitCode()).isZero();
  }

  @Test
  void aKeyThatIsGivenForALockIdIsTakenForWhatItIs() {
    for (List<String> wrong : List.of(
        List.of("release", KEY), List.of("extend", KEY), List.of("lookup", "--lock-id", KEY))) {
      Answer answer = syncguard(wrong.toArray(String[]::new));
      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err()).contains("looks like a key").contains("that acquire printed");
    }
  }

  /** The list of commands shows the first line of each description, so that line must be a sentence. */
  @Test
  void helpIsNeitherCutNorBrokenOnAScreenOf80Columns() {
    var commands = new ArrayDeque<>(List.of(Program.commandLine(
        surroundings(new ByteArrayOutputStream(), new ByteArrayOutputStream()))));
    while (!commands.isEmpty()) {
      CommandLine command = commands.remove();
      var usage = command.getCommandSpec().usageMessage();
      assertThat(usage.description()[0]).as(command.getCommandName()).matches(".*[.?]");
      for (String line : usage.footer()) {
        assertThat(line.length()).as(line).isLessThanOrEqualTo(80);
      }
      commands.addAll(command.getSubcommands().values());
    }
  }

  @Test
  void whatIsNoAnswerForProgramsOffersNoJson() {
    assertThat(syncguard("completion", "--help").out()).doesNotContain("--json");
    assertThat(syncguard("completion", "--json").exitCode()).isEqualTo(2);
  }

  @Test
  void onlyCommandsThatUseAStoreOfferOne() {
    for (String command : List.of("run", "acquire", "list", "doctor")) {
      assertThat(syncguard(command, "--help").out()).contains("--store");
    }
    for (String command : List.of("firestore", "reader", "rules", "completion", "version")) {
      assertThat(syncguard(command, "--help").out()).as(command).doesNotContain("--store");
    }
  }

  @Test
  void aStoreThatWeDoNotKnowIsAnsweredWithThoseThatWeDo() {
    assertThat(syncguard("list", "--store", "mysql://host/db").err()).contains("sqlite:PATH");
  }

  @Test
  void everyCommandTeachesByExample() {
    Answer top = syncguard("--help");
    assertThat(top.exitCode()).isZero();
    assertThat(syncguard("-h")).isEqualTo(top);
    assertThat(syncguard("run", "-h")).isEqualTo(syncguard("run", "--help"));
    for (String command : Program.commandLine(
            surroundings(new ByteArrayOutputStream(), new ByteArrayOutputStream()))
        .getSubcommands()
        .keySet()) {
      assertThat(top.out()).contains("  " + command + " ");
      Answer help = syncguard(command, "--help");
      assertThat(help.exitCode()).isZero();
      assertThat(help.out())
          .contains("Examples:")
          .contains("  syncguard " + command)
          .contains(command.equals("completion") ? "--help" : "--json");
      assertThat(help.out().lines()).as(command).allMatch(line -> line.length() <= 80);
    }
  }

  @Test
  void whoOnlyWritesAJarIsNotOfferedTheOptionsOfAServer() {
    assertThat(syncguard("firestore", "exec", "--help").out()).contains("--port", "--rules");
    assertThat(syncguard("firestore", "jar", "--help").out())
        .contains("--json")
        .doesNotContain("--port", "--rules", "--data");
    assertThat(syncguard("firestore", "jar", "x", "--port", "1").exitCode()).isEqualTo(2);
  }

  @Test
  void theDemoIsNotOfferedTheOptionsOfADevice() {
    assertThat(syncguard("reader", "mark", "--help").out()).contains("--device", "--site");
    assertThat(syncguard("reader", "demo", "--help").out())
        .contains("--json")
        .doesNotContain("--device", "--project", "--site");
    assertThat(syncguard("reader", "demo", "--device", "x").exitCode()).isEqualTo(2);
  }
}
