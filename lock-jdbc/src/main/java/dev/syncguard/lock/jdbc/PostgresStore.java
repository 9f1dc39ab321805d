package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.jdbc.PostgresSession.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The database as one backend uses it: each call borrows a connection, sends one statement and gives it back.
 *
 * <p>Thread-safe.
 */
final class PostgresStore implements AutoCloseable {

  private final PostgresConnections connections;
  private final DataSource listeningSource;
  private final Duration timeout;
  private volatile boolean setsIsolation;
  private volatile @Nullable Boolean behindPooler;
  private volatile boolean closed;

  /**
   * Creates a store.
   *
   * @param connections where connections for a moment come from
   * @param listeningSource where a connection comes from that is kept for long
   * @param timeout how long one answer may take
   */
  PostgresStore(PostgresConnections connections, DataSource listeningSource, Duration timeout) {
    this.connections = connections;
    this.listeningSource = listeningSource;
    this.timeout = timeout;
  }

  /** Returns how long the server may wait for others, so that it still answers before we give up on it. */
  long lockPatienceMillis() {
    return Math.max(1, timeout.toMillis() / 2);
  }

  /** Runs a statement for somebody who wants something, and who may be interrupted. */
  <T> List<T> query(
      Cancellation cancellation, String sql, Row<T> row, @Nullable Object... arguments) {
    if (Thread.currentThread().isInterrupted()) {
      throw new LockException(
          LockException.Code.ABORTED, "The thread was interrupted before the operation began");
    }
    return run(cancellation, session -> session.query(sql, row, arguments));
  }

  /** Runs a statement for somebody who gives something back: an interrupt has to wait until that is done. */
  <T> List<T> queryUninterruptibly(
      Cancellation cancellation, String sql, Row<T> row, @Nullable Object... arguments) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return run(cancellation, session -> session.query(sql, row, arguments));
        } catch (LockException e) {
          // An interrupt that came while we waited for the pool. What is given back may be given
          // back twice.
          if (e.code() != LockException.Code.ABORTED || !Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Something to do with a connection. */
  interface Use<T> {
    T with(PostgresSession session) throws SQLException;
  }

  /** Uses a connection for as long as it takes, and turns its errors into ours. */
  <T> T run(Use<T> use) {
    return run(Cancellation.none(), use);
  }

  /** Uses a connection until it is cancelled; what was asked for may then happen all the same. */
  private <T> T run(Cancellation cancellation, Use<T> use) {
    boolean isolationSet = setsIsolation;
    try {
      return runOnce(cancellation, use, isolationSet);
    } catch (SQLException e) {
      cancellation.throwIfCancelled();
      if (isolationSet || !PostgresErrors.isWrongIsolation(e)) {
        throw PostgresErrors.translate(e);
      }
    }
    // Our functions refused to work on an old snapshot and changed nothing. From now on we set the
    // level first.
    setsIsolation = true;
    try {
      return runOnce(cancellation, use, true);
    } catch (SQLException e) {
      cancellation.throwIfCancelled();
      throw PostgresErrors.translate(e);
    }
  }

  private <T> T runOnce(Cancellation cancellation, Use<T> use, boolean isolationSet)
      throws SQLException {
    try (PostgresSession session = open(connections, cancellation)) {
      if (isolationSet) {
        session.readCommitted();
      }
      if (isBehindPooler(session)) {
        session.useOneShotStatements();
      }
      return use.with(session);
    }
  }

  /** Returns a connection that may be kept. */
  PostgresSession openToListen() throws SQLException {
    return open(PostgresConnections.of(listeningSource), Cancellation.none());
  }

  private PostgresSession open(PostgresConnections from, Cancellation cancellation)
      throws SQLException {
    if (closed) {
      throw new BackendClosedException();
    }
    return PostgresSession.open(from, timeout, cancellation);
  }

  /**
   * Returns whether something stands between us and the server that lends us another session for each transaction.
   *
   * <p>Such a pooler has to answer cancel requests itself, so the process number that it tells when we connect is not that
   * of the session. Asked once.
   */
  boolean isBehindPooler(PostgresSession session) throws SQLException {
    Boolean known = behindPooler;
    if (known == null) {
      PGConnection driver = session.driver().orElse(null);
      known = driver != null
          && session.query("SELECT pg_backend_pid()", row -> row.getInt(1)).get(0)
              != driver.getBackendPID();
      behindPooler = known;
    }
    return known;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      connections.close();
    }
  }
}
