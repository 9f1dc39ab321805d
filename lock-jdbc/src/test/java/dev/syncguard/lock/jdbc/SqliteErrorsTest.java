package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Every result code of SQLite means something to a caller. */
class SqliteErrorsTest {

  private static final Path FILE = Path.of("/nowhere/locks.db");

  @ParameterizedTest
  @CsvSource({
    "SQLITE_BUSY, SERVICE_UNAVAILABLE",
    "SQLITE_BUSY_RECOVERY, SERVICE_UNAVAILABLE",
    "SQLITE_LOCKED, SERVICE_UNAVAILABLE",
    "SQLITE_PROTOCOL, SERVICE_UNAVAILABLE",
    "SQLITE_FULL, SERVICE_UNAVAILABLE",
    "SQLITE_IOERR, SERVICE_UNAVAILABLE",
    "SQLITE_IOERR_FSYNC, SERVICE_UNAVAILABLE",
    "SQLITE_IOERR_WRITE, SERVICE_UNAVAILABLE",
    "SQLITE_NOMEM, SERVICE_UNAVAILABLE",
    "SQLITE_READONLY, AUTH_FAILED",
    "SQLITE_READONLY_DIRECTORY, AUTH_FAILED",
    "SQLITE_PERM, AUTH_FAILED",
    "SQLITE_AUTH, AUTH_FAILED",
    "SQLITE_CANTOPEN, AUTH_FAILED",
    "SQLITE_NOTADB, INVALID_ARGUMENT",
    "SQLITE_INTERRUPT, ABORTED",
    "SQLITE_CORRUPT, INTERNAL",
    "SQLITE_CORRUPT_INDEX, INTERNAL",
    "SQLITE_CONSTRAINT_CHECK, INTERNAL",
    "SQLITE_CONSTRAINT_UNIQUE, INVALID_ARGUMENT",
    "SQLITE_CONSTRAINT_DATATYPE, INTERNAL",
    "SQLITE_SCHEMA, INTERNAL",
    "SQLITE_ERROR, INTERNAL",
    "UNKNOWN_ERROR, INTERNAL"
  })
  void aResultCodeHasAMeaning(SQLiteErrorCode code, Code meaning) {
    SQLiteException cause = new SQLiteException("message", code);
    LockException error = SqliteErrors.translate(cause, FILE);
    assertThat(error.code()).isEqualTo(meaning);
    assertThat(error).hasCause(cause).hasMessageContaining(code.name());
  }

  @Test
  void anErrorThatIsNotFromSqliteIsInternal() {
    assertThat(SqliteErrors.translate(new SQLException("message"), FILE).code())
        .isEqualTo(Code.INTERNAL);
  }

  @Test
  void aFileThatMayBeOpenedButCannotIsUnavailable() {
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      Path file = directory.path().resolve("locks.db");
      SqliteLockBackend.open(file).close();
      SQLiteException cause = new SQLiteException("message", SQLiteErrorCode.SQLITE_CANTOPEN);
      assertThat(SqliteErrors.translate(cause, file).code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    }
  }

  @Test
  void onlyARefusedStatementLeavesTheTransactionAsItWas() {
    assertThat(SqliteErrors.isRefusal(
            new SQLiteException("message", SQLiteErrorCode.SQLITE_CONSTRAINT_CHECK)))
        .isTrue();
    assertThat(SqliteErrors.isRefusal(
            new SQLiteException("message", SQLiteErrorCode.SQLITE_BUSY_RECOVERY)))
        .isFalse();
    assertThat(SqliteErrors.isRefusal(new SQLException("message"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE_CONSTRAINT_CHECK, is used up",
    "SQLITE_CONSTRAINT_UNIQUE, another key",
    "SQLITE_CONSTRAINT_DATATYPE, refused a row"
  })
  void aRefusalSaysWhatWasRefused(SQLiteErrorCode code, String what) {
    assertThat(SqliteErrors.translate(new SQLiteException("message", code), FILE))
        .hasMessageContaining(what);
  }
}
