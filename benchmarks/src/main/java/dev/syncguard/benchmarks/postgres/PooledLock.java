package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.KeyedLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A lock over a pool of connections, which is closed with it. */
abstract class PooledLock implements KeyedLock {

  final HikariDataSource pool;

  PooledLock(HikariDataSource pool) {
    this.pool = pool;
  }

  /** Runs a statement that commits by itself, and returns the number in its first row, or how many rows it changed. */
  final long run(String sql, String... arguments) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return run(connection, sql, arguments);
    }
  }

  static long run(Connection connection, String sql, String... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setString(i + 1, arguments[i]);
      }
      if (!statement.execute()) {
        return statement.getUpdateCount();
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
