package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteOpenMode;

/**
 * A file on disk that is, or becomes, a lock store of ours.
 *
 * <p>Java must never open and close such a file: the operating system would then drop the file locks of every SQLite
 * connection in this process. So the file is created empty, if it is missing, and otherwise left to SQLite.
 */
final class SqliteFile {

  // Creating a file closes it once, which must not happen while another thread connects to it.
  private static final Object CREATION = new Object();

  private static final long SETUP_PAUSE_NANOS = 2_000_000;

  private final Path path;
  private final Duration busyTimeout;

  /** Names a file; the path comes from configuration, and no part of it may turn into a setting of the driver. */
  SqliteFile(Path path, Duration busyTimeout) {
    this.path = path.toAbsolutePath().normalize();
    this.busyTimeout = busyTimeout;
    if (this.path.toString().contains("?")) {
      throw LockException.invalidArgument(
          "The path of a lock store must not contain a question mark");
    }
  }

  Path path() {
    return path;
  }

  /** Creates the directory of the file for this user alone, if it is missing. */
  void createDirectory() {
    Path directory = path.getParent();
    if (directory == null) {
      return;
    }
    try {
      Files.createDirectories(directory, ownerOnly("rwx------"));
    } catch (IOException e) {
      throw cannotCreate(e);
    }
  }

  /** Creates the file if it is missing, makes a lock store of it if it is empty, and checks it if it is not. */
  void prepare() {
    synchronized (CREATION) {
      create();
      long start = System.nanoTime();
      while (true) {
        try (Connection connection = connect()) {
          setUp(connection);
          return;
        } catch (SQLException e) {
          // Not every step of a set-up waits by itself for another process that does the same.
          if (!SqliteErrors.isBusy(e) || System.nanoTime() - start > busyTimeout.toNanos()) {
            throw SqliteErrors.translate(e, path);
          }
          LockSupport.parkNanos(SETUP_PAUSE_NANOS);
        }
      }
    }
  }

  /** Returns a new connection. */
  Connection connect() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setBusyTimeout((int) Math.min(busyTimeout.toMillis(), Integer.MAX_VALUE));
    config.setSynchronous(SynchronousMode.FULL);
    return config.createConnection("jdbc:sqlite:" + path);
  }

  SqliteSession openSession() {
    try {
      return new SqliteSession(path, connect());
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, path);
    }
  }

  private void create() {
    if (Files.isDirectory(path)) {
      throw LockException.invalidArgument(
          "The lock store " + path + " is a directory; name a file in it");
    }
    try {
      // SQLite gives the same permissions to the files that it puts beside this one.
      Files.createFile(path, ownerOnly("rw-------"));
    } catch (FileAlreadyExistsException e) {
      // Somebody was here before; what they left is judged below.
    } catch (IOException e) {
      throw cannotCreate(e);
    }
  }

  private LockException cannotCreate(IOException e) {
    if (e instanceof NoSuchFileException) {
      return new LockException(
          Code.INVALID_ARGUMENT,
          "There is no directory for the lock store " + path + "; create it first",
          e);
    }
    if (e instanceof AccessDeniedException) {
      return new LockException(
          Code.AUTH_FAILED,
          "This user may not create the lock store " + path
              + "; give write permission on its directory, or name a file elsewhere",
          e);
    }
    return new LockException(
        Code.SERVICE_UNAVAILABLE,
        "The lock store " + path + " cannot be created; check its directory, or name a file"
            + " elsewhere",
        e);
  }

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private void setUp(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (isEmpty(statement)) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("BEGIN IMMEDIATE");
        if (isEmpty(statement)) {
          statement.executeUpdate(SqliteSchema.CREATE);
        }
        statement.execute("COMMIT");
      }
      requireOurs(statement);
      if (!"wal".equals(text(statement, "PRAGMA journal_mode"))) {
        statement.execute("PRAGMA journal_mode = WAL");
      }
    }
  }

  private static boolean isEmpty(Statement statement) throws SQLException {
    return number(statement, "PRAGMA application_id") == 0
        && number(statement, "PRAGMA user_version") == 0
        && number(statement, "SELECT count(*) FROM sqlite_schema") == 0;
  }

  private void requireOurs(Statement statement) throws SQLException {
    if (number(statement, "PRAGMA application_id") != SqliteSchema.APPLICATION_ID) {
      throw LockException.invalidArgument("The file " + path
          + " is the database of another application; name another file for the lock store");
    }
    long version = number(statement, "PRAGMA user_version");
    if (version > SqliteSchema.VERSION) {
      throw LockException.invalidArgument("The lock store " + path + " has schema version "
          + version + ", but this program knows only versions up to " + SqliteSchema.VERSION
          + "; use a newer SyncGuard");
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
