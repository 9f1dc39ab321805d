package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.BackendClosedException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;

/**
 * One connection to the file, which threads use in the order in which they came.
 *
 * <p>SQLite's own way to wait for another process sleeps up to 100 ms at a time and cannot be interrupted, so we wait
 * ourselves, through its busy handler. Thread-safe.
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
  private final SqliteStatements statements;
  private @Nullable Durability durability;
  private @Nullable Waiting waiting;

  /** Takes over an open connection. */
  SqliteSession(Path file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    this.statements = new SqliteStatements(connection);
    BusyHandler.setHandler(connection, new BusyHandler() {
      @Override
      protected int callback(int pausesBefore) {
        return waiting != null && waiting.pause(pausesBefore) ? 1 : 0;
      }
    });
  }

  /** Makes one change, which commits by itself. */
  void write(Waiting patience, SqliteWrite<?> write) {
    use(patience, () -> {
      promise(write.durability());
      write.runIn(statements);
      write.committed();
      return true;
    });
  }

  /**
   * Makes several changes in one transaction. Who is taken along is asked only once the transaction has begun, so that nobody
   * waits for another process longer than they wanted to.
   */
  void writeTogether(
      Waiting patience,
      Durability promised,
      Function<Durability, List<SqliteWrite<?>>> others,
      SqliteWrite<?> own) {
    use(patience, () -> {
      promise(promised);
      execute("BEGIN IMMEDIATE");
      List<SqliteWrite<?>> all = new ArrayList<>();
      all.add(own);
      all.addAll(others.apply(promised));
      try {
        if (!commitTogether(all)) {
          all.forEach(this::commitAlone);
        }
      } finally {
        all.forEach(write -> write.moveOn(SqliteWrite.State.DONE));
      }
      return true;
    });
  }

  /** Returns whether everything is committed; otherwise nothing has changed. */
  private boolean commitTogether(List<SqliteWrite<?>> all) {
    try {
      for (SqliteWrite<?> write : all) {
        try {
          write.runIn(statements);
        } catch (SQLException e) {
          if (!SqliteErrors.isRefusal(e)) {
            throw e;
          }
          // It alone was undone, and the transaction goes on.
          write.fail(SqliteErrors.translate(e, file));
        } catch (RuntimeException e) {
          write.fail(e);
        }
      }
      execute("COMMIT");
      all.forEach(SqliteWrite::committed);
      return true;
    } catch (SQLException e) {
      rollBack();
      return false;
    }
  }

  private void rollBack() {
    try {
      execute("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  /** What failed together may have failed because of one of them. */
  private void commitAlone(SqliteWrite<?> write) {
    try {
      write.runIn(statements);
      write.committed();
    } catch (SQLException e) {
      write.fail(SqliteErrors.translate(e, file));
    } catch (RuntimeException e) {
      write.fail(e);
    }
  }

  private void promise(Durability wanted) throws SQLException {
    if (durability != wanted) {
      execute("PRAGMA synchronous = " + wanted);
      durability = wanted;
    }
  }

  /** Runs a query and returns its rows. */
  <T> List<T> read(Waiting patience, String sql, Row<T> row, @Nullable Object... arguments) {
    try {
      return use(patience, () -> statements.run(sql, row, arguments));
    } finally {
      patience.finish();
    }
  }

  private interface Use<T> {
    T with() throws SQLException;
  }

  private <T> T use(Waiting patience, Use<T> use) {
    patience.enter(turn);
    try {
      if (connection.isClosed()) {
        throw new BackendClosedException();
      }
      waiting = patience;
      return use.with();
    } catch (SQLException e) {
      throw SqliteErrors.isBusy(e) ? patience.givenUp() : SqliteErrors.translate(e, file);
    } finally {
      waiting = null;
      turn.unlock();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Closes the connection once nobody uses it. */
  @Override
  public void close() {
    turn.lock();
    try {
      connection.close();
    } catch (SQLException e) {
      throw SqliteErrors.translate(e, file);
    } finally {
      turn.unlock();
    }
  }
}
