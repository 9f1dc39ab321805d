package com.example.locks;

import dev.syncguard.lock.LockException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * Runs work in transactions, and turns what JDBC throws into what a caller can act on. Thread-safe.
 *
 * <p>H2 swallows an interrupt that arrives while it waits for a row, and then the caller would never learn of it. So H2
 * works on threads that nobody interrupts, and the caller's interrupt stays with the caller.
 */
final class Transactions {

  private static final int MOST_ATTEMPTS = 20;

  private final Executor threads = Executors.newCachedThreadPool(work -> {
    Thread thread = new Thread(work, "h2-locks");
    thread.setDaemon(true);
    return thread;
  });
  private final DataSource database;

  Transactions(DataSource database) {
    this.database = database;
  }

  /** What is done in one transaction. It may run more than once, so it changes nothing but the database. */
  interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  <T> T run(Work<T> work) {
    try {
      return CompletableFuture.supplyAsync(() -> runUninterrupted(work), threads).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof LockException failure ? failure : e;
    }
  }

  private <T> T runUninterrupted(Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        try {
          T result = work.in(connection);
          connection.commit();
          return result;
        } finally {
          connection.rollback(); // Does nothing after a commit.
        }
      } catch (SQLException e) {
        if (!isConflict(e) || attempt == MOST_ATTEMPTS) {
          throw translate(e);
        }
      }
    }
  }

  /** Returns whether another transaction was quicker, so that ours was undone and may be tried again. */
  private static boolean isConflict(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("40") // deadlock, serialization failure
        || state.equals("23505") // both inserted the same row
        || state.equals("HYT00"); // waited too long for a row
  }

  /** The messages say what to do, and contain no key: the driver's own go to the cause. */
  private static LockException translate(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith("28")) {
      return new LockException(
          LockException.Code.AUTH_FAILED, "The database refuses the user; check the credentials", e);
    }
    return new LockException(
        LockException.Code.SERVICE_UNAVAILABLE,
        "The database failed (SQLSTATE " + state + "); the lock may have been taken, and it is safe to try again",
        e);
  }
}
