package dev.syncguard.lock.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** Looks at a file, or changes it, behind the backend's back. */
final class RawSqlite {

  private static final int BUSY_TIMEOUT_MS = 60_000;

  private RawSqlite() {}

  static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    // SQLite waits in long steps, and hardly ever meets a moment in which backends at work leave
    // the
    // file alone.
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  static void execute(Path file, String statements) {
    try (Connection connection = connect(file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  static long number(Path file, String query, Object... arguments) {
    return (long) Double.parseDouble(text(file, query, arguments));
  }

  static String text(Path file, String query, Object... arguments) {
    try (Connection connection = connect(file);
        PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
