package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A store that remembers many keys, all of them free.
 *
 * <p>To take and release a million keys would take minutes, so they are written as the backend leaves them. This is the
 * one place outside of the backend that knows its table.
 */
final class SqliteFences {

  private SqliteFences() {}

  static SqliteLockBackend store(Path file, int fences) throws SQLException {
    SqliteLockBackend.open(file).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n"
          + " WHERE i + 1 < " + fences + ")"
          + " INSERT INTO locks (key, fence, acquired_at_ms, expires_at_ms)"
          + " SELECT printf('key-%07d', i), 1, 0, 0 FROM n");
    }
    return SqliteLockBackend.open(file);
  }

  static String key(int number) {
    String digits = Integer.toString(number);
    return "key-" + "0".repeat(7 - digits.length()) + digits;
  }
}
