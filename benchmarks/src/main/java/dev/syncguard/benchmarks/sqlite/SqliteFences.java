package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A store with many keys that are held, and as many that are free.
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
          + " INSERT INTO locks (key, lock_id, fence, acquired_at_ms, expires_at_ms)"
          + " SELECT printf('held-%07d', i), printf('%022d', i), 1, 0, 9000000000000 FROM n"
          + " UNION ALL SELECT printf('key-%07d', i), NULL, 1, 0, 0 FROM n");
    }
    return SqliteLockBackend.open(file);
  }
}
