package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("slow")
class ReaderTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  @BeforeEach
  void useAStateOfOurOwn() {
    syncguard.with("XDG_STATE_HOME", syncguard.file("state").toString());
  }

  private Answer laptop(String... arguments) {
    return on("laptop", arguments);
  }

  private Answer phone(String... arguments) {
    return on("phone", arguments);
  }

  private Answer on(String device, String... arguments) {
    String[] all = new String[3 + arguments.length];
    System.arraycopy(new String[] {"reader", "--device", device}, 0, all, 0, 3);
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return syncguard.run(all);
  }

  @Test
  void aMarkTravelsFromOneTerminalToAnother() {
    RealProgram.Running watching =
        syncguard.start("reader", "--device", "phone", "watch", "--interval", "1s");
    watching.awaitOutput("Sync: OK");
    assertThat(laptop("mark", "post-1", "comment_2").exitCode()).isZero();
    watching.awaitOutput("read post-1").awaitOutput("read comment_2");

    Answer busy = phone("status");
    assertThat(busy.exitCode()).isEqualTo(ExitCode.BUSY);
    assertThat(busy.err()).contains("--device");

    RealProgram.kill("INT", watching.pid());
    assertThat(watching.answer().exitCode()).isZero();
    Answer status = phone("status", "--json");
    assertThat(status.out()).contains("\"read\":2").contains("\"status\":\"OK\"");
  }

  @Test
  void aWatcherWhoseDirectoryIsDeletedSaysSoAndEnds() throws IOException {
    RealProgram.Running watching =
        syncguard.start("reader", "--device", "phone", "watch", "--interval", "1s");
    watching.awaitOutput("Sync: OK");
    Path device = syncguard.file("state").resolve("syncguard/reader/devices/phone");
    // In one step, so that nothing can be stored in the midst of it.
    Files.move(device, syncguard.file("deleted"));
    Answer answer = watching.answer();
    assertThat(answer.exitCode()).isEqualTo(ExitCode.of(LockException.Code.SERVICE_UNAVAILABLE));
    assertThat(answer.err()).contains("was its directory deleted");
    assertThat(phone("status").exitCode()).as("a new device in its place").isZero();
  }

  @Test
  void whatOneDeviceChoosesAllOthersHave() throws IOException {
    assertThat(laptop("prefer", "Alice", "up").exitCode()).isZero();
    assertThat(phone("load-from", "2026-11-01T18:00:00Z").exitCode()).isZero();
    Answer exported = laptop("export");
    assertThat(exported.out()).contains("Alice").contains("2026-11-01T18:00:00.000Z");

    assertThat(phone("reset", "--yes").out()).contains("Empty everywhere");
    Answer emptied = laptop("status", "--json");
    assertThat(emptied.out()).contains("\"authors\":0");

    Files.writeString(syncguard.file("backup.json"), exported.out());
    assertThat(laptop("import", syncguard.file("backup.json").toString()).exitCode())
        .isZero();
    assertThat(phone("status", "--json").out()).contains("\"authors\":1");
  }

  @Test
  void whatMakesNoSenseIsToldBeforeAnythingIsOpened() {
    assertThat(laptop("mark", "no/id").exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(laptop("reset").err()).contains("--yes");
    assertThat(laptop("prefer", "Alice", "sideways").exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(laptop("load-from", "yesterday").err()).contains("2026-11-01");
    assertThat(laptop("--project", "p", "status").err()).contains("SYNCGUARD_API_KEY");
    assertThat(on("../phone", "status").exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(syncguard.file("state").toFile().list()).isNullOrEmpty();
  }
}
