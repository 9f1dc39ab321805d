package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.jdbc.SqliteSession.Durability;
import dev.syncguard.lock.jdbc.SqliteSession.Row;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One change that a thread wants made, and what has become of it. */
final class SqliteWrite<T> {

  /** How far it has got. Only {@link SqliteWrites} moves it on, until the last step. */
  enum State {
    WAITING,
    LEADING,
    CARRIED,
    DONE
  }

  private final Durability durability;
  private final String sql;
  private final Row<T> row;
  private final @Nullable Object[] arguments;
  private final Thread owner = Thread.currentThread();
  private volatile State state = State.WAITING;
  private List<T> answers = List.of();
  private @Nullable RuntimeException failure;
  private boolean committed;

  SqliteWrite(Durability durability, String sql, Row<T> row, @Nullable Object... arguments) {
    this.durability = durability;
    this.sql = sql;
    this.row = row;
    this.arguments = arguments;
  }

  Durability durability() {
    return durability;
  }

  State state() {
    return state;
  }

  void moveOn(State next) {
    state = next;
    if (next != State.CARRIED) {
      LockSupport.unpark(owner);
    }
  }

  /** Runs the statement; what it answers is the caller's only once it is committed. */
  void runIn(SqliteStatements statements) throws SQLException {
    failure = null;
    answers = statements.run(sql, row, arguments);
  }

  void fail(RuntimeException reason) {
    failure = reason;
  }

  void committed() {
    committed = true;
  }

  /** Returns the answer, or throws why there is none. */
  List<T> result() {
    if (failure != null) {
      throw failure;
    }
    if (!committed) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "The thread that wrote to the lock store for this one failed, so the outcome is unknown;"
              + " try again");
    }
    return answers;
  }
}
