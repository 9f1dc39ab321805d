package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;

/**
 * One connection to the file, which threads use in the order in which they came.
 *
 * <p>SQLite's own way to wait for another process sleeps up to 100 ms at a time and cannot be interrupted, so we wait
 * ourselves, through its busy handler. Each statement commits by itself. Thread-safe.
 */
final class SqliteSession implements AutoCloseable {

  /** Whether a commit returns only when it would survive a loss of power. */
  enum Durability {
    FULL,
    NORMAL
  }

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Path file;
  private final Connection connection;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private @Nullable Durability durability;
  private @Nullable Waiting waiting;

  /** Takes over an open connection. */
  SqliteSession(Path file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    BusyHandler.setHandler(connection, new BusyHandler() {
      @Override
      protected int callback(int pausesBefore) {
        return waiting != null && waiting.pause(pausesBefore) ? 1 : 0;
      }
    });
  }

  /** Runs a statement that changes something, and returns the rows it answers with. */
  <T> List<T> write(
      Durability wanted, Waiting patience, String sql, Row<T> row, @Nullable Object... arguments) {
    return use(patience, () -> {
      if (durability != wanted) {
        execute("PRAGMA synchronous = " + wanted);
        durability = wanted;
      }
      return run(sql, row, arguments);
    });
  }

  /** Runs a query and returns its rows. */
  <T> List<T> read(Waiting patience, String sql, Row<T> row, @Nullable Object... arguments) {
    return use(patience, () -> run(sql, row, arguments));
  }

  private interface Use<T> {
    T with() throws SQLException;
  }

  private <T> T use(Waiting patience, Use<T> use) {
    patience.enter(turn);
    try {
      if (connection.isClosed()) {
        throw closed();
      }
      waiting = patience;
      return use.with();
    } catch (SQLException e) {
      throw SqliteErrors.isBusy(e) ? patience.givenUp() : SqliteErrors.translate(e, file);
    } finally {
      waiting = null;
      turn.unlock();
      patience.finish();
    }
  }

  private <T> List<T> run(String sql, Row<T> row, @Nullable Object... arguments)
      throws SQLException {
    PreparedStatement statement = prepared(sql);
    try {
      return run(statement, row, arguments);
    } catch (SQLException e) {
      // The driver lets no statement live on that has failed.
      statements.remove(sql);
      statement.close();
      throw e;
    }
  }

  private static <T> List<T> run(
      PreparedStatement statement, Row<T> row, @Nullable Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    List<T> answers = new ArrayList<>(1);
    try (ResultSet rows = statement.executeQuery()) {
      // To the very end: a statement commits when it is asked for the row after the last one, and
      // closing it earlier would hide a commit that failed.
      while (rows.next()) {
        answers.add(row.read(rows));
      }
    }
    return answers;
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static LockException closed() {
    return new LockException(
        LockException.Code.INTERNAL, "This backend was closed; open a new one");
  }

  /** Closes the connection once nobody uses it. */
  @Override
  public void close() {
    turn.lock();
    try {
      statements.clear();
      connection.close();
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file);
    } finally {
      turn.unlock();
    }
  }
}
