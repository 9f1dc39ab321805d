package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Where connections for a moment come from, and go to. Thread-safe. */
interface PostgresConnections extends AutoCloseable {

  /** Lends a connection, or throws what stands in the way. Cancelling ends the waiting for a connection of our own. */
  Connection borrow(Duration atMost, Cancellation cancellation) throws SQLException;

  /** Takes a connection back. One that an error may have broken is not lent again. */
  void giveBack(Connection connection, boolean broken);

  /** Closes what belongs to us. */
  @Override
  void close();

  /** Returns the connections of somebody else's pool, which knows best how long to wait and which ones are broken. */
  static PostgresConnections of(DataSource source) {
    return new PostgresConnections() {
      @Override
      public Connection borrow(Duration atMost, Cancellation cancellation) throws SQLException {
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

  /** Breaks a connection for good, in whatever thread, without a word to the server, which may be silent. */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone either way.
    }
  }

  static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone either way.
    }
  }
}
