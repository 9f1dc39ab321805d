package dev.syncguard.lock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Where connections for a moment come from, and go to. Thread-safe. */
interface PostgresConnections extends AutoCloseable {

  /** Lends a connection, or throws what stands in the way. */
  Connection borrow(Duration atMost) throws SQLException;

  /** Takes a connection back. One that an error may have broken is not lent again. */
  void giveBack(Connection connection, boolean broken);

  /** Closes what belongs to us. */
  @Override
  void close();

  /** Returns the connections of somebody else's pool, which knows best how long to wait and which ones are broken. */
  static PostgresConnections of(DataSource source) {
    return new PostgresConnections() {
      @Override
      public Connection borrow(Duration atMost) throws SQLException {
        return source.getConnection();
      }

      @Override
      public void giveBack(Connection connection, boolean broken) {
        closeQuietly(connection);
      }

      @Override
      public void close() {}
    };
  }

  static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone either way.
    }
  }
}
