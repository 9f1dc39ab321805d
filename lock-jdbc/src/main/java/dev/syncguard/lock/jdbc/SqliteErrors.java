package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.LockException.Code.ABORTED;
import static dev.syncguard.lock.LockException.Code.AUTH_FAILED;
import static dev.syncguard.lock.LockException.Code.INTERNAL;
import static dev.syncguard.lock.LockException.Code.INVALID_ARGUMENT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Turns what SQLite reports into what a caller can act on. Nothing else reads a result code.
 *
 * <p>The driver's message goes along as the cause: it names tables and columns, never a value.
 */
final class SqliteErrors {

  private static final int PRIMARY = 0xff;

  private SqliteErrors() {}

  static LockException translate(SQLException e, Path file) {
    SQLiteErrorCode code = code(e);
    LockException.Code meaning = meaning(code, file);
    String store = "The lock store " + file + " ";
    String message = switch (primary(code)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
        store + "was in use by others for too long; try again";
      case SQLITE_FULL -> store + "has no room left on its disk; free some space";
      case SQLITE_IOERR, SQLITE_NOMEM ->
        store + "could not be read or written; check the disk and try again";
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
        store + "is read-only for this user; give write permission on the file, on those beside"
            + " it that end in -wal and -shm, and on the directory";
      case SQLITE_CANTOPEN ->
        store + "cannot be opened; check that this user may read and write the file and its"
            + " directory";
      case SQLITE_NOTADB -> store + "is not an SQLite database; name another file";
      case SQLITE_CORRUPT ->
        store + "is damaged; stop all programs that use it and restore it from a backup. In a"
            + " new file, all fences would begin at 1 again";
      case SQLITE_INTERRUPT -> "The operation was cancelled";
      case SQLITE_CONSTRAINT -> constraint(code);
      default -> store + "gave an unexpected answer";
    };
    return new LockException(meaning, message + " (" + code.name() + ")", e);
  }

  static boolean isBusy(SQLException e) {
    return primary(code(e)) == SQLiteErrorCode.SQLITE_BUSY;
  }

  /** Returns whether one statement was refused and undone, and the transaction around it is as it was before. */
  static boolean isRefusal(SQLException e) {
    return primary(code(e)) == SQLiteErrorCode.SQLITE_CONSTRAINT;
  }

  private static LockException.Code meaning(SQLiteErrorCode code, Path file) {
    return switch (primary(code)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM ->
        SERVICE_UNAVAILABLE;
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> AUTH_FAILED;
      case SQLITE_CANTOPEN -> mayOpen(file) ? SERVICE_UNAVAILABLE : AUTH_FAILED;
      case SQLITE_NOTADB -> INVALID_ARGUMENT;
      case SQLITE_INTERRUPT -> ABORTED;
      case SQLITE_CONSTRAINT ->
        code == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE ? INVALID_ARGUMENT : INTERNAL;
      default -> INTERNAL;
    };
  }

  private static String constraint(SQLiteErrorCode code) {
    return switch (code) {
      case SQLITE_CONSTRAINT_CHECK ->
        "The fence counter of this key is used up (" + Fence.MAX + "); continue under a new key";
      case SQLITE_CONSTRAINT_UNIQUE ->
        "The lock id already belongs to a lease on another key; make a new one for each lease";
      default -> "The lock store refused a row";
    };
  }

  private static boolean mayOpen(Path file) {
    Path directory = file.getParent();
    return Files.isReadable(file)
        && Files.isWritable(file)
        && (directory == null || Files.isWritable(directory));
  }

  private static SQLiteErrorCode code(SQLException e) {
    return e instanceof SQLiteException known
        ? known.getResultCode()
        : SQLiteErrorCode.UNKNOWN_ERROR;
  }

  private static SQLiteErrorCode primary(SQLiteErrorCode code) {
    return code == SQLiteErrorCode.UNKNOWN_ERROR
        ? code
        : SQLiteErrorCode.getErrorCode(code.code & PRIMARY);
  }
}
