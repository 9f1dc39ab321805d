package dev.syncguard.benchmarks.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * Rows in an SQLite file that are changed by bare statements, each of which commits by itself: no lock in such a file
 * can be faster than this.
 *
 * <p>One connection, which threads may share.
 */
final class BareTable implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement update;

  BareTable(Path file, SynchronousMode synchronous) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(synchronous);
    config.setBusyTimeout(10_000);
    connection = config.createConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "CREATE TABLE IF NOT EXISTS bare (key TEXT NOT NULL PRIMARY KEY, value INTEGER) WITHOUT ROWID");
      statement.executeUpdate(
          "WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n" + " WHERE i + 1 < "
              + Rows.COUNT + ") INSERT OR IGNORE INTO bare SELECT 'key-' || i, 0 FROM n");
    }
    update = connection.prepareStatement("UPDATE bare SET value = value + 1 WHERE key = ?");
  }

  /** Changes one row, always to a new value, whoever changed it before: SQLite would not write an equal one. */
  synchronized void update(int row) throws SQLException {
    update.setString(1, "key-" + row);
    if (update.executeUpdate() != 1) {
      throw new IllegalStateException("There was no row to update");
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
