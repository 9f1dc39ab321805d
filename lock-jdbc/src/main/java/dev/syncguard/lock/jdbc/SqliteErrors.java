package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Turns what SQLite reports into what a caller can act on. Nothing else reads a result code. */
final class SqliteErrors {

  private static final int PRIMARY = 0xff;

  private SqliteErrors() {}

  static LockException translate(SQLException e, Path file) {
    SQLiteErrorCode code = code(e);
    String store = "The lock store " + file + " ";
    return switch (primary(code)) {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
        new LockException(
            Code.SERVICE_UNAVAILABLE, store + "was in use by others for too long; try again", e);
      case SQLITE_FULL ->
        new LockException(
            Code.SERVICE_UNAVAILABLE,
            store + "has no room left on its disk; nothing was changed. Free some space",
            e);
      case SQLITE_IOERR, SQLITE_NOMEM ->
        new LockException(
            Code.SERVICE_UNAVAILABLE,
            store + "could not be read or written (" + code.name()
                + "); check the disk, then try again",
            e);
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
        new LockException(
            Code.AUTH_FAILED,
            store + "is read-only for this user (" + code.name()
                + "); give write permission on the file, on its -wal and -shm files and on their"
                + " directory",
            e);
      case SQLITE_CANTOPEN ->
        new LockException(
            Code.SERVICE_UNAVAILABLE,
            store + "cannot be opened (" + code.name()
                + "); check that the file exists and that this user may read and write it and its"
                + " directory",
            e);
      case SQLITE_NOTADB ->
        new LockException(
            Code.INVALID_ARGUMENT,
            store + "is not an SQLite database; name another file, or move this one away",
            e);
      case SQLITE_CORRUPT ->
        new LockException(
            Code.INTERNAL,
            store + "is damaged (" + code.name()
                + "); stop all programs that use it and restore it from a backup. A new file would"
                + " start all fences at 1 again",
            e);
      case SQLITE_INTERRUPT -> new LockException(Code.ABORTED, "The operation was cancelled", e);
      case SQLITE_CONSTRAINT -> constraint(code, e);
      default ->
        new LockException(
            Code.INTERNAL, store + "gave an unexpected answer (" + code.name() + ")", e);
    };
  }

  static boolean isBusy(SQLException e) {
    return primary(code(e)) == SQLiteErrorCode.SQLITE_BUSY;
  }

  private static LockException constraint(SQLiteErrorCode code, SQLException e) {
    return switch (code) {
      case SQLITE_CONSTRAINT_CHECK ->
        new LockException(
            Code.INTERNAL,
            "The fence counter of this key is used up (" + Fence.MAX
                + "); continue under a new key",
            e);
      case SQLITE_CONSTRAINT_UNIQUE ->
        new LockException(
            Code.INVALID_ARGUMENT,
            "This lock id already belongs to a lease on another key; make a new id for each lease",
            e);
      default ->
        new LockException(Code.INTERNAL, "The lock store refused a row (" + code.name() + ")", e);
    };
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
