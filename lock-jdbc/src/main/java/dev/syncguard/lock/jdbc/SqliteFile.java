package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * A file on disk that is, or becomes, a lock store of ours.
 *
 * <p>Java must never open and close such a file: the operating system would then drop the file locks of every SQLite
 * connection in this process. So the file is created empty if it is missing, and otherwise left to SQLite.
 */
final class SqliteFile {

  // Creating a file closes it once, which must not happen while another thread connects to it.
  private static final ReentrantLock CREATION = new ReentrantLock();

  private static final long SETUP_PAUSE_NANOS = 2_000_000;

  private final Path path;
  private final Duration busyTimeout;

  /** Names a file. No part of its path may become a setting of the driver. */
  SqliteFile(Path path, Duration busyTimeout) {
    this.path = path.toAbsolutePath();
    this.busyTimeout = busyTimeout;
    if (this.path.toString().contains("?")) {
      throw LockException.invalidArgument(
          "The path of a lock store must not contain a question mark");
    }
  }

  Path path() {
    return path;
  }

  /** Creates the directory of the file, for this user alone, if it is missing. */
  void createDirectory() {
    try {
      Path directory = path.getParent();
      if (directory != null) {
        Files.createDirectories(directory, ownerOnly("rwx------"));
      }
    } catch (IOException e) {
      throw cannotCreate(e);
    }
  }

  /** Creates the file if it is missing, makes it a lock store if it is empty, and returns a connection to it. */
  SqliteSession openFirst() {
    CREATION.lock();
    try {
      create();
      long start = System.nanoTime();
      while (true) {
        try {
          return new SqliteSession(path, setUp(connect()));
        } catch (SQLException e) {
          // Not every step of a set-up waits by itself for another process that does the same.
          if (!SqliteErrors.isBusy(e) || System.nanoTime() - start > busyTimeout.toNanos()) {
            throw SqliteErrors.translate(e, path);
          }
          LockSupport.parkNanos(SETUP_PAUSE_NANOS);
        }
      }
    } finally {
      CREATION.unlock();
    }
  }

  /** Returns another connection to a file that was opened before. */
  SqliteSession openAgain() {
    try {
      return new SqliteSession(path, connect());
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, path);
    }
  }

  /** Returns the path without symbolic links, which is the same for all who open an existing file. */
  Path realPath() {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }

  /** Returns what tells this file from another one under the same name, if the file system can tell. */
  @Nullable
  Object identity() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  private Connection connect() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    // Only we create files, and with the permissions that we want.
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setBusyTimeout(Math.toIntExact(busyTimeout.toMillis()));
    return config.createConnection("jdbc:sqlite:" + path);
  }

  private Connection setUp(Connection connection) throws SQLException {
    try {
      SqliteSchema.setUp(connection, path);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
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
      // Somebody was here before; what they left is judged when we have a connection.
    } catch (IOException e) {
      throw cannotCreate(e);
    }
  }

  private LockException cannotCreate(IOException e) {
    if (e instanceof NoSuchFileException
        || e instanceof NotDirectoryException
        || e instanceof FileAlreadyExistsException) {
      return new LockException(
          Code.INVALID_ARGUMENT,
          "There is no directory for the lock store " + path
              + "; create it, or name a file elsewhere",
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
        "The lock store " + path + " cannot be created; check its directory and its disk, or name a"
            + " file elsewhere",
        e);
  }

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
