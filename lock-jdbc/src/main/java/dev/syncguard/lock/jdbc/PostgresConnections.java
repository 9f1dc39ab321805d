package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.spi.CallInFlight;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where connections for a moment come from, and go to. Thread-safe. */
interface PostgresConnections extends AutoCloseable {

  /** Lends a connection, or throws what stands in the way. Cancelling ends the waiting for it where it can. */
  Connection borrow(Duration atMost, Cancellation cancellation) throws SQLException;

  /** Takes a connection back. One that an error may have broken is not lent again. */
  void giveBack(Connection connection, boolean broken);

  /** Closes what belongs to us. */
  @Override
  void close();

  /**
   * What lends the same connections to every thread, so that another one may ask for the caller. A {@code DataSource} that
   * we do not know may depend on the thread: on its transaction, or on its tenant.
   */
  Set<String> SAME_FOR_EVERY_THREAD = Set.of(
      "com.zaxxer.hikari.HikariDataSource",
      "io.agroal.pool.DataSource",
      "org.apache.commons.dbcp2.BasicDataSource",
      "org.apache.tomcat.jdbc.pool.DataSource",
      "org.postgresql.ds.PGSimpleDataSource");

  /** Returns the connections of somebody else's pool, which knows best how long to wait and which ones are broken. */
  static PostgresConnections of(DataSource source) {
    boolean anyThread = SAME_FOR_EVERY_THREAD.contains(source.getClass().getName());
    return new PostgresConnections() {
      @Override
      public Connection borrow(Duration atMost, Cancellation cancellation) throws SQLException {
        return await(
            anyThread ? cancellation : Cancellation.none(),
            source::getConnection,
            PostgresConnections::closeQuietly);
      }

      @Override
      public void giveBack(Connection connection, boolean broken) {
        closeQuietly(connection);
      }

      @Override
      public void close() {}
    };
  }

  /** Does what no driver or pool can be told to stop. Whoever can be cancelled leaves it to another thread. */
  static <T> T await(Cancellation cancellation, Callable<T> call, Consumer<? super T> unwanted)
      throws SQLException {
    try {
      return cancellation == Cancellation.none()
          ? call.call()
          : CallInFlight.open(cancellation, call, unwanted);
    } catch (CancellationException e) {
      throw new SQLTransientConnectionException("Cancelled while it waited for a connection");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("Interrupted while it waited for a connection");
    } catch (ExecutionException e) {
      throw asThrown(e.getCause());
    } catch (Exception e) {
      throw asThrown(e);
    }
  }

  private static SQLException asThrown(@Nullable Throwable error) {
    if (error instanceof RuntimeException ours) {
      throw ours;
    }
    return error instanceof SQLException failure
        ? failure
        : new SQLException("The driver failed to connect", error);
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
