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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each command answers, to people, to programs and by its exit code. */
class AnswersTest extends ProgramTest {

  private static final String KEY = "secret-key";
  private static final String KEY_HASH = "\"keyHash\":\"a96a89c2319481a62c016aae\"";

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
  void anUnexpectedFailureShowsItsTraceOnlyOnRequest() throws Exception {
    Path notADatabase = directory.resolve("text");
    Files.writeString(notADatabase, "This is no database. ".repeat(100));

    Answer quiet = syncguard("list", "--store", "sqlite:" + notADatabase);
    assertThat(quiet.err().lines()).hasSize(1);
    variables.put("SYNCGUARD_DEBUG", "true");
    assertThat(syncguard("list", "--store", "sqlite:" + notADatabase).err()).contains("\tat ");
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
}
