package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which store is opened, and what happens if that cannot be done. */
class StoreTest {

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void withoutAStoreTheLocksAreInAFileThatOnlyItsOwnerCanRead() throws Exception {
    program
        .without("SYNCGUARD_STORE")
        .with("XDG_STATE_HOME", program.file("state").toString());
    assertThat(program.run("acquire", "demo").exitCode()).isZero();

    Path directory = program.file("state/syncguard");
    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(directory.resolve("locks.db"))).isEqualTo("rw-------");
    assertThat(program.run("is-locked", "demo").exitCode()).isZero();
  }

  @Test
  void theOptionWinsOverTheVariable() {
    assertThat(program
            .run("acquire", "demo", "--store", "sqlite:" + program.file("other.db"))
            .exitCode())
        .isZero();
    assertThat(program.store()).doesNotExist();
    assertThat(program.run("is-locked", "demo").exitCode()).isEqualTo(1);
    assertThat(program.run("--store", "sqlite:other.db", "is-locked", "demo").exitCode())
        .isZero();
  }

  @Test
  void aFileThatWasThereKeepsItsPermissions() throws Exception {
    Files.createFile(program.store());
    Files.setPosixFilePermissions(program.store(), PosixFilePermissions.fromString("rw-rw----"));

    assertThat(program.run("acquire", "demo").exitCode()).isZero();
    assertThat(permissions(program.store())).isEqualTo("rw-rw----");
  }

  @Test
  void aStoreThatIsNotThereIsUnavailable() {
    Answer answer = program.run("list", "--store", "sqlite:/no/such/directory/locks.db");

    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.err()).contains("does not exist").hasLineCount(1);
  }

  @Test
  void aStoreThatOthersBlockIsUnavailable() throws Exception {
    program.run("run", "demo", "--", "true");
    try (Connection blocker = DriverManager.getConnection("jdbc:sqlite:" + program.store());
        Statement statement = blocker.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      Answer answer = program.run("acquire", "demo", "--no-wait", "--json");
      assertThat(answer.exitCode()).isEqualTo(69);
      assertThat(answer.out())
          .contains("\"ok\":false,\"code\":\"ServiceUnavailable\",\"message\":\"");
      statement.execute("ROLLBACK");
    }
  }

  @Test
  void aDirectoryThatWeMayNotWriteToIsARefusal() throws Exception {
    Path directory = Files.createDirectory(program.file("closed"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-x------"));
    Answer answer = runWithoutPrivileges(
        "acquire", "demo", "--json", "--store", "sqlite:" + directory.resolve("locks.db"));

    assertThat(answer.exitCode()).isEqualTo(77);
    assertThat(answer.out()).contains("\"code\":\"AuthFailed\"");
    assertThat(answer.err()).contains("make its directory writable").hasLineCount(1);
  }

  @Test
  void aFileThatWeMayNotReadIsUnavailable() throws Exception {
    Files.createFile(
        program.store(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
    Answer answer = runWithoutPrivileges("list");

    assertThat(answer.exitCode()).isIn(69, 77);
    assertThat(answer.err()).contains("locks.db").hasLineCount(1);
  }

  @Test
  void aFileThatIsNoStoreIsWrongUsage() throws Exception {
    Files.writeString(program.store(), "Dear diary, ".repeat(1000));
    Answer answer = program.run("acquire", "demo");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("not an SQLite database").hasLineCount(1);
    assertThat(Files.readString(program.store())).startsWith("Dear diary");
  }

  @Test
  void fencesThatAreUsedUpAreAnInternalError() throws Exception {
    program.run("run", "demo", "--", "true");
    useUpFences(Fence.MAX);
    Answer answer = program.run("acquire", "demo");

    assertThat(answer.exitCode()).isEqualTo(70);
    assertThat(answer.err()).contains("new key").hasLineCount(1);
  }

  @Test
  void theDoctorSaysHowBadItIs() throws Exception {
    program.run("run", "demo", "--", "true");
    assertThat(program.run("doctor"))
        .satisfies(answer -> assertThat(answer.exitCode()).as(answer.out()).isZero())
        .satisfies(answer -> assertThat(answer.out().lines())
            .hasSizeGreaterThan(3)
            .allMatch(line -> line.startsWith("ok ")));
    assertThat(program.run("doctor", "--json").out())
        .startsWith("{\"ok\":true,\"findings\":[{")
        .hasLineCount(1);

    useUpFences(800_000_000_000_000L);
    assertThat(program.run("doctor"))
        .satisfies(answer -> assertThat(answer.exitCode()).isEqualTo(1))
        .satisfies(answer -> assertThat(answer.out()).contains("WARNING  "));

    assertThat(program.run("doctor", "--json", "--store", "sqlite:/no/such/directory/locks.db"))
        .satisfies(answer -> assertThat(answer.exitCode()).isEqualTo(2))
        .satisfies(answer -> assertThat(answer.out())
            .startsWith(
                "{\"ok\":false,\"findings\":[{\"severity\":\"failure\",\"subject\":\"reachable\",")
            .hasLineCount(1));
  }

  private void useUpFences(long last) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + program.store());
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("UPDATE locks SET fence = " + last)).isOne();
    }
  }

  /** Runs the program as a user for whom permissions count, which they do not for root. */
  private Answer runWithoutPrivileges(String... arguments) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
    }
    command.addAll(RealProgram.java());
    command.addAll(List.of(arguments));
    return program.startCommand(command).answer();
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
