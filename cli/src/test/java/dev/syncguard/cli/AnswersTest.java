package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What each command answers, to people, to programs and by its exit code. */
class AnswersTest {

  private static final String KEY = "secret-key";
  private static final String KEY_HASH = "\"keyHash\":\"a96a89c2319481a62c016aae\"";
  private static final String NO_SUCH_ID = "AAAAAAAAAAAAAAAAAAAAAA";

  @TempDir
  Path directory;

  private final Map<String, String> variables = new HashMap<>();
  private String input = "";

  @BeforeEach
  void useAStoreOfOurOwn() {
    variables.put("SYNCGUARD_STORE", "sqlite:" + directory.resolve("locks.db"));
  }

  @Test
  void acquireAnswersWithTheLockIdAndNothingElse() {
    Answer answer = syncguard("acquire", KEY);

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out()).matches("[A-Za-z0-9_-]{22}\n");
    assertThat(answer.err()).contains("fence 000000000000001").contains("ends in");
  }

  @Test
  void aLockWhoseIdCannotBePrintedIsReleasedAgain() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream full = new PrintStream(new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("No space left on device");
      }
    });

    int code = Program.run(
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            full,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            variables),
        "acquire",
        KEY);

    assertThat(code).isEqualTo(70);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("was released again");
    assertThat(syncguard("is-locked", KEY).exitCode()).as("free").isEqualTo(1);
  }

  @Test
  void aKeyIsTakenFromItsHolderOnlyByForce() {
    String id = syncguard("acquire", KEY).out().strip();
    for (List<String> wrong : List.of(
        List.of("release", "--key", KEY),
        List.of("release", "--force"),
        List.of("release", id, "--force"),
        List.of("release", id, "--key", KEY, "--force"))) {
      assertThat(syncguard(wrong.toArray(String[]::new)).exitCode())
          .as("%s", wrong)
          .isEqualTo(2);
    }
    assertThat(syncguard("is-locked", KEY).exitCode()).isZero();

    Answer forced = syncguard("release", "--key", KEY, "--force");
    assertThat(forced.exitCode()).isZero();
    assertThat(forced.err()).contains("fence 000000000000001").doesNotContain(KEY);
    assertThat(forced.err().lines())
        .filteredOn(line -> line.startsWith("{"))
        .singleElement()
        .asString()
        .startsWith("{\"event\":\"force-release\",\"at\":\"20")
        .endsWith("\",\"outcome\":\"ok\"," + KEY_HASH + "}");
    assertThat(syncguard("release", id)).satisfies(AnswersTest::saysThatThereIsNone);
    assertGolden(
        1,
        "{\"ok\":false,\"reason\":\"not-found\"," + KEY_HASH + "}",
        "release",
        "--key",
        KEY,
        "--force",
        "--json");
    syncguard("acquire", KEY);
    assertGolden(
        0,
        "{\"ok\":true," + KEY_HASH + ",\"lockIdHash\":HASH,\"fence\":\"000000000000002\","
            + "\"acquiredAtMs\":N,\"expiresAtMs\":N,\"remainingMs\":N,\"waiting\":0}",
        "release",
        "--key",
        KEY,
        "--force",
        "--json");
  }

  @Test
  void aForcedReleaseLeavesATraceEvenIfItDidNothing() {
    assertThat(syncguard("release", "--key", KEY, "--force", "--json").err())
        .contains("\"outcome\":\"fail\"," + KEY_HASH + ",\"reason\":\"not-found\"}");
  }

  @Test
  void aNoteTellsWhoHoldsALock() {
    syncguard("acquire", KEY, "--note", "deploy by Ada");
    assertThat(syncguard("list").out().lines()).last().asString().endsWith("  deploy by Ada");
    assertThat(syncguard("lookup", KEY).out())
        .contains("\nwaiting    0\n")
        .endsWith("\nnote       deploy by Ada\n");
    assertThat(syncguard("watch", "--count", "1").out()).endsWith("  deploy by Ada\n");
    for (String command : List.of("list", "watch --count 1", "lookup " + KEY)) {
      assertThat(syncguard((command + " --json").split(" ")).out())
          .as(command)
          .contains("\"note\":\"deploy by Ada\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two\nlines", "\u001b[2J", "\u202eback to front"})
  void aNoteThatCouldDisturbAScreenIsRefused(String note) {
    assertThat(syncguard("acquire", KEY, "--note", note).exitCode()).isEqualTo(2);
    assertThat(syncguard("is-locked", KEY).out()).isEqualTo("free\n");
  }

  @Test
  void everyAnswerIsAlsoALineOfJson() {
    assertGolden(
        0,
        "{\"ok\":true,\"lockId\":ID,\"fence\":\"000000000000001\",\"expiresAtMs\":N,\"remainingMs\":N,"
            + KEY_HASH + ",\"lockIdHash\":HASH}",
        "acquire",
        KEY,
        "--json");
    assertGolden(
        75,
        "{\"ok\":false,\"reason\":\"locked\"," + KEY_HASH + "}",
        "acquire",
        KEY,
        "--json",
        "--no-wait");
    assertGolden(
        75,
        "{\"ok\":false,\"reason\":\"locked\"," + KEY_HASH + "}",
        "acquire",
        KEY,
        "--json",
        "--wait",
        "1ms");
    assertGolden(0, "{\"ok\":true,\"locked\":true," + KEY_HASH + "}", "is-locked", KEY, "--json");
    assertGolden(
        0,
        "{\"ok\":true," + KEY_HASH
            + ",\"lockIdHash\":HASH,\"fence\":\"000000000000001\",\"acquiredAtMs\":N,\"expiresAtMs\":N,\"remainingMs\":N,\"waiting\":0}",
        "lookup",
        KEY,
        "--json");
    assertGolden(
        0,
        "{\"ok\":true," + KEY_HASH
            + ",\"lockIdHash\":HASH,\"fence\":\"000000000000001\",\"acquiredAtMs\":N,\"expiresAtMs\":N,\"remainingMs\":N,\"waiting\":0,"
            + "\"key\":\"secret-key\",\"lockId\":ID}",
        "lookup",
        KEY,
        "--json",
        "--raw");
    assertGolden(
        0,
        "{\"ok\":true,\"locks\":[{" + KEY_HASH
            + ",\"lockIdHash\":HASH,\"fence\":\"000000000000001\",\"acquiredAtMs\":N,\"expiresAtMs\":N,\"remainingMs\":N,\"waiting\":0}],"
            + "\"complete\":true}",
        "list",
        "--json");
    assertGolden(
        0,
        "{\"ok\":true,\"locks\":[{" + KEY_HASH
            + ",\"lockIdHash\":HASH,\"fence\":\"000000000000001\",\"acquiredAtMs\":N,\"expiresAtMs\":N,\"remainingMs\":N,\"waiting\":0}],"
            + "\"complete\":true}",
        "watch",
        "--json",
        "--count",
        "1");

    variables.put("SYNCGUARD_LOCK_ID", lockId());
    assertGolden(
        0,
        "{\"ok\":true,\"expiresAtMs\":N,\"lockIdHash\":HASH}",
        "extend",
        "--json",
        "--ttl",
        "1m");
    assertGolden(0, "{\"ok\":true,\"lockIdHash\":HASH}", "release", "--json");
    assertGolden(
        1, "{\"ok\":false,\"reason\":\"not-found\",\"lockIdHash\":HASH}", "release", "--json");
    assertGolden(
        1, "{\"ok\":false,\"reason\":\"not-found\",\"lockIdHash\":HASH}", "extend", "--json");
    assertGolden(
        1, "{\"ok\":false,\"reason\":\"not-found\",\"lockIdHash\":HASH}", "lookup", "--json");
    assertGolden(
        1, "{\"ok\":false,\"reason\":\"not-found\"," + KEY_HASH + "}", "lookup", KEY, "--json");
    assertGolden(1, "{\"ok\":true,\"locked\":false," + KEY_HASH + "}", "is-locked", KEY, "--json");
    assertGolden(0, "{\"ok\":true,\"locks\":[],\"complete\":true}", "list", "--json");
  }

  @Test
  void aFailureIsALineOfJsonToo() {
    assertGolden(
        2,
        "{\"ok\":false,\"code\":\"InvalidArgument\",\"message\":"
            + "\"--ttl is not a duration; write for example 500ms, 30s, 5m, 1h30m or PT5M; see syncguard acquire --help\"}",
        "acquire",
        KEY,
        "--json",
        "--ttl",
        "soon");
    assertGolden(
        2,
        "{\"ok\":false,\"code\":\"InvalidArgument\",\"message\":\"A key must not be empty\"}",
        "acquire",
        "",
        "--json");
  }

  @Test
  void peopleSeeTablesAndWords() {
    assertThat(syncguard("is-locked", KEY).out()).isEqualTo("free\n");
    assertThat(syncguard("list").err()).isEqualTo("No live locks\n");
    syncguard("acquire", KEY);
    assertThat(syncguard("is-locked", KEY).out()).isEqualTo("locked\n");
    assertThat(syncguard("list").out().lines())
        .hasSize(2)
        .last()
        .asString()
        .matches("a96a89c2 +[0-9.]+s +[0-9.]+s +0 +1 +[0-9a-f]{8}");
    assertThat(syncguard("lookup", KEY).out())
        .contains("fence      000000000000001")
        .doesNotContain(KEY)
        .doesNotContain(lockId());
    assertThat(syncguard("lookup", KEY, "--raw").out())
        .contains("key        secret-key")
        .contains("lock id    " + lockId());
  }

  @Test
  void aLongListSaysThatThereIsMore() {
    syncguard("acquire", "a");
    syncguard("acquire", "b");

    Answer answer = syncguard("list", "--limit", "1");
    assertThat(answer.out().lines()).hasSize(2);
    assertThat(answer.err()).contains("There are more");
    assertThat(syncguard("list", "--limit", "1", "--json").out()).endsWith("\"complete\":false}\n");
  }

  @Test
  void theLockIdMayComeFromTheArgumentTheOptionTheInputOrTheEnvironment() {
    String byArgument = acquire("a");
    String byOption = acquire("b");
    String byInput = acquire("c");
    String byEnvironment = acquire("d");

    assertThat(syncguard("release", byArgument).exitCode()).isZero();
    assertThat(syncguard("release", "--lock-id", byOption).exitCode()).isZero();
    input = byInput + "\n";
    assertThat(syncguard("release", "--lock-id", "-").exitCode()).isZero();
    variables.put("SYNCGUARD_LOCK_ID", byEnvironment);
    assertThat(syncguard("lookup").exitCode()).isZero();
    assertThat(syncguard("release").exitCode()).isZero();
    assertThat(syncguard("list").err()).isEqualTo("No live locks\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-hAAAAAAAAAAAAAAAAAAAA", "--AAAAAAAAAAAAAAAAAAAA", "-AAAAAAAAAAAAAAAAAAAA-"})
  void aLockIdMayLookLikeAnOption(String id) {
    assertThat(syncguard("release", id)).satisfies(AnswersTest::saysThatThereIsNone);
    assertThat(syncguard("extend", "--lock-id", id)).satisfies(AnswersTest::saysThatThereIsNone);
    assertThat(syncguard("extend", "--lock-id=" + id)).satisfies(AnswersTest::saysThatThereIsNone);
  }

  private static void saysThatThereIsNone(Answer answer) {
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    assertThat(answer.err()).contains("no such lease");
  }

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

  /** A bare question takes a shorter way through the program than one with options. */
  @Test
  void aBareQuestionIsAnsweredAsOneWithOptions() {
    String store = variables.get("SYNCGUARD_STORE");
    for (String key : List.of(KEY, "", KEY.repeat(60), "two words", KEY + "\uFFFD")) {
      for (String address : List.of(store, "mysql://host", "sqlite:" + directory + "/no/such.db")) {
        variables.put("SYNCGUARD_STORE", address);
        assertThat(syncguard("is-locked", key))
            .as("%s in %s", key, address)
            .isEqualTo(syncguard("is-locked", "--", key));
      }
    }
    variables.put("SYNCGUARD_STORE", store);
    syncguard("acquire", KEY);
    assertThat(syncguard("is-locked", KEY)).isEqualTo(new Answer(0, "locked\n", ""));
  }

  @Test
  void keysAreShownToThoseWhoAskForThem() {
    syncguard("acquire", KEY);
    for (String command : List.of("list", "watch --count 1")) {
      for (String form : List.of(command, command + " --json")) {
        assertThat(syncguard(form.split(" ")).out()).as(form).doesNotContain(KEY);
        assertThat(syncguard((form + " --raw").split(" ")).out()).as(form).contains(KEY);
      }
    }
    assertThat(syncguard("list", "--raw").out().lines().toList().get(1)).startsWith(KEY + "  ");
  }

  @Test
  void aKeyCannotDisturbTheScreenOfThoseWhoSeeIt() {
    syncguard("acquire", "\u001b[2J" + KEY);
    for (String command : List.of("list --raw", "watch --count 1 --raw")) {
      assertThat(syncguard(command.split(" ")).out()).contains("?[2J" + KEY);
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
  void whoOnlyLooksWritesNothing() {
    assertThat(syncguard("is-locked", KEY)).isEqualTo(new Answer(1, "free\n", ""));
    assertThat(syncguard("lookup", KEY).exitCode()).isEqualTo(1);
    assertThat(syncguard("list").exitCode()).isZero();
    assertThat(syncguard("watch", "--count", "1").exitCode()).isZero();
    assertThat(syncguard("doctor"))
        .satisfies(answer -> assertThat(answer.exitCode()).isEqualTo(1))
        .satisfies(answer -> assertThat(answer.out()).contains("There is no store yet"));
    variables.remove("SYNCGUARD_STORE");
    variables.put("XDG_STATE_HOME", directory.resolve("state").toString());
    assertThat(syncguard("list").exitCode()).isZero();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aStoreThatWeDoNotKnowIsAnsweredWithThoseThatWeDo() {
    assertThat(syncguard("list", "--store", "mysql://host/db").err()).contains("sqlite:PATH");
  }

  @Test
  void anUnexpectedFailureShowsItsTraceOnlyOnRequest() throws Exception {
    Path notADatabase = directory.resolve("text");
    Files.writeString(notADatabase, "This is no database. ".repeat(100));

    Answer quiet = syncguard("list", "--store", "sqlite:" + notADatabase);
    assertThat(quiet.err().lines()).hasSize(1);
    variables.put("SYNCGUARD_DEBUG", "true");
    assertThat(syncguard("list", "--store", "sqlite:" + notADatabase).err()).contains("\tat ");
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
  void theVersionComesFromTheBuild() {
    assertThat(syncguard("version").out())
        .matches("syncguard [0-9]+\\.[0-9]+\\..* \\(Java .*\\)\n");
    assertThat(syncguard("version", "--json").out()).startsWith("{\"ok\":true,\"version\":\"");
  }

  private void assertGolden(int exitCode, String expected, String... arguments) {
    Answer answer = syncguard(arguments);
    assertThat(answer.golden()).as(String.join(" ", arguments)).isEqualTo(expected);
    assertThat(answer.exitCode()).as(String.join(" ", arguments)).isEqualTo(exitCode);
    assertThat(answer.out().lines()).hasSize(1);
  }

  private String acquire(String key) {
    return syncguard("acquire", key).out().strip();
  }

  private String lockId() {
    return syncguard("lookup", KEY, "--raw").out().replaceAll("(?s).*lock id    (\\S+).*", "$1");
  }

  private Answer syncguard(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = Program.run(surroundings(out, err), arguments);
    return new Answer(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Surroundings surroundings(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new Surroundings(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        variables);
  }
}
