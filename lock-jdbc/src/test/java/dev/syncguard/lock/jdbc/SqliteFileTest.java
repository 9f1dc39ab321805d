package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may be found where the lock store should be. */
class SqliteFileTest {

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path file = directory.path().resolve("locks.db");

  @AfterEach
  void tidyUp() {
    directory.close();
  }

  @Test
  void aMissingFileIsCreatedForItsOwnerAlone() throws IOException {
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      take(backend, "report");
      for (String suffix : List.of("", "-wal", "-shm")) {
        assertThat(permissions(Path.of(file + suffix))).as(suffix).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void aMissingDirectoryIsCreatedForItsOwnerAloneIfAskedFor() throws IOException {
    Path outer = directory.path().resolve("state");
    Path inner = outer.resolve("syncguard");
    SqliteLockBackend.builder(inner.resolve("locks.db"))
        .createDirectory()
        .build()
        .close();
    assertThat(permissions(inner)).isEqualTo("rwx------");
    assertThat(permissions(outer)).isEqualTo("rwx------");
  }

  @Test
  void aMissingDirectoryIsReportedOtherwise() {
    assertRefused(directory.path().resolve("nowhere").resolve("locks.db"), "create it");
  }

  @Test
  void aFileWhereTheDirectoryShouldBeIsReported() throws IOException {
    Path inTheWay = Files.createFile(directory.path().resolve("in the way"));
    LockException refusal = catchThrowableOfType(
        LockException.class,
        () -> SqliteLockBackend.builder(inTheWay.resolve("state").resolve("locks.db"))
            .createDirectory()
            .build());
    assertThat(refusal.code()).isNotEqualTo(Code.INTERNAL);
    assertThat(refusal).hasMessageContaining("elsewhere");
  }

  @Test
  void aDirectoryInPlaceOfTheFileIsReported() {
    assertRefused(directory.path(), "is a directory");
  }

  @Test
  void aPathCannotCarrySettingsOfTheDriver() {
    assertRefused(directory.path().resolve("locks.db?journal_mode=OFF"), "question mark");
  }

  @Test
  void aPathThatLooksLikeAResourceOrAUriIsOnlyAPath() {
    for (String name : List.of(":memory:", ":resource:x", "file:x", "#[%20]'\"; DROP")) {
      Path awkward = directory.path().resolve(name);
      try (SqliteLockBackend backend = SqliteLockBackend.open(awkward)) {
        take(backend, "report");
      }
      assertThat(awkward).isRegularFile();
    }
  }

  @Test
  void aFileThatIsNoDatabaseIsLeftAlone() throws IOException {
    Files.writeString(file, "Dear diary, ".repeat(1000));
    assertRefused(file, "not an SQLite database");
    assertThat(file).hasContent("Dear diary, ".repeat(1000));
  }

  @Test
  void theDatabaseOfAnotherApplicationIsLeftAlone() throws IOException {
    RawSqlite.execute(file, "CREATE TABLE locks (door TEXT)");
    byte[] before = Files.readAllBytes(file);
    assertRefused(file, "another application");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void anEmptyDatabaseWithTheMarkOfAnotherApplicationIsLeftAlone() {
    RawSqlite.execute(file, "PRAGMA application_id = 4711");
    assertRefused(file, "another application");
  }

  @Test
  void aStoreOfANewerVersionIsLeftAlone() {
    SqliteLockBackend.open(file).close();
    RawSqlite.execute(file, "PRAGMA user_version = " + (SqliteSchema.VERSION + 1));
    assertRefused(file, "newer SyncGuard");
    assertThat(RawSqlite.number(file, "PRAGMA user_version")).isEqualTo(SqliteSchema.VERSION + 1);
  }

  @Test
  void aStoreOfTheSecondVersionKeepsItsLocksAndLearnsNotes() {
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      take(backend, "report");
    }
    RawSqlite.execute(file, "ALTER TABLE locks DROP COLUMN note; PRAGMA user_version = 2");
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      assertThat(backend.isLocked(LockKey.of("report"), Cancellation.none())).isTrue();
      LockKey other = LockKey.of("other");
      backend.acquire(
          other,
          LockId.random(new SecureRandom()),
          Ttl.ofMillis(60_000),
          LockNote.of("nightly"),
          Cancellation.none());
      assertThat(backend
              .lookup(new LockQuery.ByKey(other), Cancellation.none())
              .orElseThrow()
              .note())
          .contains(LockNote.of("nightly"));
    }
  }

  @Test
  void whatWasStoredIsThereAfterReopening() {
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      take(backend, "report");
    }
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      assertThat(backend.isLocked(LockKey.of("report"), Cancellation.none())).isTrue();
    }
  }

  @Test
  void manyMayOpenANewFileAtOnce() throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        children.add(ChildJvm.run(Opener.class, file));
      }
      for (ChildJvm child : children) {
        assertThat(child.nextLine()).isIn("granted", "contended");
      }
    } finally {
      children.forEach(ChildJvm::close);
    }
    assertThat(RawSqlite.text(file, "PRAGMA integrity_check")).isEqualTo("ok");
    assertThat(RawSqlite.number(file, "SELECT fence FROM locks")).isEqualTo(1);
  }

  @Test
  void aFileThatWasDeletedWhileInUseGrantsNothingMore() throws IOException {
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      take(backend, "report");
      Files.delete(file);
      assertReplaced(backend);
      SqliteLockBackend.open(file).close();
      assertReplaced(backend);
    }
  }

  private static void assertReplaced(SqliteLockBackend backend) {
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> take(backend, "another report"));
    assertThat(refusal.code()).isEqualTo(Code.INTERNAL);
    assertThat(refusal).hasMessageContaining("deleted or replaced");
  }

  /** Takes a key in a file and says how that went. */
  static final class Opener {
    public static void main(String[] arguments) {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]))) {
        AcquireResult result = backend.acquire(
            LockKey.of("report"),
            LockId.random(new SecureRandom()),
            Ttl.ofMillis(60_000),
            Cancellation.none());
        System.out.println(result instanceof AcquireResult.Acquired ? "granted" : "contended");
      } catch (LockException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }
  }

  @Test
  void aReadOnlyDirectoryIsReported() throws IOException {
    Path closed = Files.createDirectory(directory.path().resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThat(openWithoutPrivileges(closed.resolve("locks.db")))
        .startsWith(Code.AUTH_FAILED.name())
        .contains("write permission on its directory");
  }

  @Test
  void aStoreInADirectoryThatBecameReadOnlyIsReported() throws IOException {
    Path closed = Files.createDirectory(directory.path().resolve("closed"));
    SqliteLockBackend.open(closed.resolve("locks.db")).close();
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThat(openWithoutPrivileges(closed.resolve("locks.db")))
        .startsWith(Code.AUTH_FAILED.name())
        .contains("directory");
  }

  @Test
  void aReadOnlyFileIsReported() throws IOException {
    SqliteLockBackend.open(file).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertThat(openWithoutPrivileges(file))
        .startsWith(Code.AUTH_FAILED.name())
        .contains("write permission");
  }

  @Test
  void anUnreadableFileIsReported() throws IOException {
    SqliteLockBackend.open(file).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assertThat(openWithoutPrivileges(file))
        .startsWith(Code.AUTH_FAILED.name())
        .contains("may read and write");
  }

  /** Permissions mean nothing to root, so root gives up what makes it so. */
  private static String openWithoutPrivileges(Path file) throws IOException {
    boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    List<String> ordinary =
        root ? List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all") : List.of();
    try (ChildJvm child = ChildJvm.runBy(ordinary, Opener.class, file)) {
      return child.nextLine();
    }
  }

  private static void take(SqliteLockBackend backend, String key) {
    assertThat(backend.acquire(
            LockKey.of(key),
            LockId.random(new SecureRandom()),
            Ttl.ofMillis(60_000),
            Cancellation.none()))
        .isInstanceOf(AcquireResult.Acquired.class);
  }

  private static void assertRefused(Path path, String advice) {
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> SqliteLockBackend.open(path));
    assertThat(refusal).as("the refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining(advice);
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
