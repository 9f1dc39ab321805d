package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.Liveness;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What is in the file, and how a file tells that it is ours. */
final class SqliteSchema {

  /** "SyGu", in the header of every file of ours. */
  static final int APPLICATION_ID = 0x53794775;

  /** Grows with every change of the tables that an older version of this library would not understand. */
  static final int VERSION = 3;

  /** Waiters whose turn it is come first, and lose it if they do not take the key within this time. */
  static final long TURN_MS = 1000;

  /** Who waits for which key, and the socket on which its process can be called, if it has one. */
  private static final String WAITERS = """
      CREATE TABLE waiters (
        key     TEXT    NOT NULL,
        ticket  INTEGER NOT NULL,
        lock_id TEXT    NOT NULL,
        socket  TEXT,
        token   INTEGER,
        PRIMARY KEY (key, ticket, lock_id)
      ) STRICT, WITHOUT ROWID;""";

  /** In version 1 waiters could not be called. Whoever waits comes back by itself. */
  private static final String FROM_VERSION_1 = "DROP TABLE waiters; " + WAITERS;

  /** In version 2 holders could not say who they are. */
  private static final String FROM_VERSION_2 =
      "ALTER TABLE locks ADD COLUMN note TEXT; PRAGMA user_version = " + VERSION + ";";

  /**
   * The tables.
   *
   * <p>A key keeps its row, and with it its fence, for ever; {@code lock_id} is null while nobody holds it. The index
   * knows only keys that are held, so that it stays small beside a million fences.
   */
  static final String CREATE = """
      CREATE TABLE locks (
        key            TEXT    NOT NULL PRIMARY KEY,
        lock_id        TEXT,
        fence          INTEGER NOT NULL CHECK (fence BETWEEN 1 AND @maxFence),
        acquired_at_ms INTEGER NOT NULL,
        expires_at_ms  INTEGER NOT NULL,
        note           TEXT
      ) STRICT, WITHOUT ROWID;

      CREATE UNIQUE INDEX locks_by_id ON locks (lock_id) WHERE lock_id IS NOT NULL;

      @waiters

      -- Who is served leaves the line; so do those who stood before it and let a free key go by.
      CREATE TRIGGER served AFTER UPDATE OF lock_id ON locks WHEN new.lock_id IS NOT NULL
      BEGIN
        DELETE FROM waiters WHERE key = new.key AND (
          lock_id = new.lock_id
          OR (old.lock_id IS NULL OR NOT @live) AND ticket < coalesce(
            (SELECT ticket FROM waiters WHERE key = new.key AND lock_id = new.lock_id), @last));
      END;

      PRAGMA application_id = @applicationId;
      PRAGMA user_version = @version;
      """.replace("@waiters", WAITERS)
      .replace("@maxFence", Long.toString(Fence.MAX))
      .replace("@live", Liveness.inSql("old.expires_at_ms", "new.acquired_at_ms"))
      .replace("@last", Long.toString(Long.MAX_VALUE))
      .replace("@applicationId", Integer.toString(APPLICATION_ID))
      .replace("@version", Integer.toString(VERSION));

  private SqliteSchema() {}

  /** Makes a lock store of an empty file, and turns away a file that is none of ours. */
  static void setUp(Connection connection, Path file) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (isEmpty(statement)) {
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("BEGIN IMMEDIATE");
        // Another process may have been faster.
        if (isEmpty(statement)) {
          statement.executeUpdate(CREATE);
        }
        statement.execute("COMMIT");
      }
      requireOurs(statement, file);
      if (version(statement) < VERSION) {
        statement.execute("BEGIN IMMEDIATE");
        if (version(statement) == 1) {
          statement.executeUpdate(FROM_VERSION_1);
        }
        if (version(statement) < VERSION) {
          statement.executeUpdate(FROM_VERSION_2);
        }
        statement.execute("COMMIT");
      }
      statement.execute("PRAGMA journal_mode = WAL");
    }
  }

  private static boolean isEmpty(Statement statement) throws SQLException {
    return number(statement, "PRAGMA application_id") == 0
        && number(statement, "PRAGMA user_version") == 0
        && number(statement, "SELECT count(*) FROM sqlite_schema") == 0;
  }

  private static void requireOurs(Statement statement, Path file) throws SQLException {
    if (number(statement, "PRAGMA application_id") != APPLICATION_ID) {
      throw LockException.invalidArgument("The file " + file
          + " is the database of another application; name another file for the lock store");
    }
    long version = version(statement);
    if (version > VERSION) {
      throw LockException.invalidArgument("The lock store " + file + " has schema version "
          + version + ", but this program knows only versions up to " + VERSION
          + "; use a newer SyncGuard");
    }
  }

  private static long version(Statement statement) throws SQLException {
    return number(statement, "PRAGMA user_version");
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
