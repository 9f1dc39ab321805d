package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.CallInFlight;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * A connection that was borrowed for a moment: made fit for us, and given back as it was.
 *
 * <p>Not thread-safe.
 */
final class PostgresSession implements AutoCloseable {

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static final Executor AT_ONCE = Runnable::run;
  private static final Duration LEAST = Duration.ofMillis(10);

  private final PostgresConnections source;
  private final Connection connection;
  private final CallInFlight call;
  private final boolean autoCommit;
  private final int networkTimeout;
  private int isolation = Connection.TRANSACTION_NONE;
  private boolean oneShotStatements;
  private boolean broken;

  private PostgresSession(
      PostgresConnections source,
      Connection connection,
      Duration timeout,
      Cancellation cancellation)
      throws SQLException {
    this.source = source;
    this.connection = connection;
    this.autoCommit = connection.getAutoCommit();
    this.networkTimeout = connection.getNetworkTimeout();
    int millis = Math.toIntExact(timeout.toMillis());
    if (networkTimeout == 0 || networkTimeout > millis) {
      connection.setNetworkTimeout(AT_ONCE, millis);
    }
    if (!autoCommit) {
      requireNoTransaction();
      connection.setAutoCommit(true);
    }
    this.call = CallInFlight.begin(cancellation, () -> PostgresConnections.abort(connection));
  }

  /** Borrows a connection. It and each answer together take no longer than the timeout. Cancelling breaks it. */
  static PostgresSession open(
      PostgresConnections source, Duration timeout, Cancellation cancellation) throws SQLException {
    long start = System.nanoTime();
    Connection connection = source.borrow(timeout, cancellation);
    try {
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      return new PostgresSession(
          source, connection, left.compareTo(LEAST) < 0 ? LEAST : left, cancellation);
    } catch (SQLException | RuntimeException e) {
      source.giveBack(connection, true);
      throw e;
    }
  }

  /** Sets the isolation level, which costs a round trip. */
  void readCommitted() throws SQLException {
    isolation = connection.getTransactionIsolation();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** Leaves nothing prepared on the server, since the next statement may reach another session there. */
  void useOneShotStatements() {
    oneShotStatements = true;
  }

  /** Runs one statement in one round trip and returns the rows it answers with. */
  <T> List<T> query(String sql, Row<T> row, @Nullable Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (oneShotStatements && statement.isWrapperFor(PGStatement.class)) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
      }
      for (int i = 0; i < arguments.length; i++) {
        set(statement, i + 1, arguments[i]);
      }
      List<T> answers = new ArrayList<>(1);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.add(row.read(rows));
        }
      }
      return answers;
    } catch (SQLException e) {
      broken |= PostgresErrors.mayBreakConnection(e);
      throw e;
    }
  }

  private static void set(PreparedStatement statement, int index, @Nullable Object argument)
      throws SQLException {
    if (argument instanceof Absent absent) {
      statement.setNull(index, absent.type);
    } else if (argument instanceof Long number) {
      statement.setLong(index, number);
    } else {
      statement.setObject(index, argument);
    }
  }

  /** An argument that is not there. The server wants to know what it would have been. */
  enum Absent {
    TEXT(java.sql.Types.VARCHAR),
    NUMBER(java.sql.Types.BIGINT);

    private final int type;

    Absent(int type) {
      this.type = type;
    }
  }

  /** Runs a statement that has no answer. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      broken |= PostgresErrors.mayBreakConnection(e);
      throw e;
    }
  }

  /** Runs several statements in one transaction. */
  void inTransaction(List<String> statements) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      connection.commit();
    } catch (SQLException e) {
      undo(e);
      throw e;
    }
    connection.setAutoCommit(true);
  }

  /** Ends the transaction that failed. If that fails as well, it is the first failure that tells why. */
  private void undo(SQLException failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      broken = true;
      failure.addSuppressed(e);
    }
  }

  /** Returns the driver's own view of this connection, if it is PostgreSQL's driver. */
  Optional<PGConnection> driver() throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        ? Optional.of(connection.unwrap(PGConnection.class))
        : Optional.empty();
  }

  /** Switching to autocommit would commit what the caller has begun. This call, too, is allowed only between transactions. */
  private void requireNoTransaction() throws SQLException {
    try {
      connection.setReadOnly(connection.isReadOnly());
    } catch (SQLException e) {
      if (PostgresErrors.isInsideTransaction(e)) {
        throw LockException.invalidArgument(
            "The DataSource hands out a connection on which a transaction is open. Locks never join"
                + " a transaction; give them a DataSource that is not bound to one");
      }
      throw e;
    }
  }

  /** Gives the connection back. By now there is an answer or an error, so a problem here changes nothing. */
  @Override
  public void close() {
    call.close();
    try {
      if (connection.isClosed()) {
        broken = true;
      } else {
        connection.setNetworkTimeout(AT_ONCE, networkTimeout);
        connection.setAutoCommit(autoCommit);
        if (isolation != Connection.TRANSACTION_NONE) {
          connection.setTransactionIsolation(isolation);
        }
      }
    } catch (SQLException e) {
      broken = true;
    }
    source.giveBack(connection, broken);
  }
}
