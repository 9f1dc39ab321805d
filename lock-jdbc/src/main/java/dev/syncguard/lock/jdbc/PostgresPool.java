package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.spi.CallInFlight;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A few connections for many threads: locks come and go quickly, so that few serve many.
 *
 * <p>Whoever needs a connection waits until it is open. So a server that is away or does not know our password is told at
 * once, and one that is back is used at once; a pool that connects in the background makes its callers wait for both. The
 * connection that was used last is lent first, those that nobody needed for a while are closed, and one that has rested is
 * looked at before it is lent. Thread-safe.
 */
final class PostgresPool implements PostgresConnections {

  private static final int MOST = 10;
  private static final long REST_BEFORE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final DataSource source;
  private final Semaphore permits = new Semaphore(MOST, true);
  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean closed;

  private record Idle(Connection connection, long sinceNanos) {
    boolean hasRested(long nanos) {
      return System.nanoTime() - sinceNanos > nanos;
    }
  }

  PostgresPool(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection borrow(Duration atMost, Cancellation cancellation) throws SQLException {
    awaitPermit(atMost, cancellation);
    boolean lent = false;
    try {
      Connection connection = usable(atMost, cancellation);
      if (connection == null) {
        connection = connect(atMost, cancellation);
      }
      lent = true;
      return connection;
    } finally {
      if (!lent) {
        permits.release();
      }
    }
  }

  private Connection connect(Duration atMost, Cancellation cancellation) throws SQLException {
    return PostgresConnections.await(
        cancellation, () -> connect(atMost), PostgresConnections::closeQuietly);
  }

  private Connection connect(Duration atMost) throws SQLException {
    Connection connection = source.getConnection();
    try {
      // First, since a server that falls silent here would be waited for without end.
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(atMost.toMillis()));
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      return connection;
    } catch (SQLException | RuntimeException e) {
      PostgresConnections.closeQuietly(connection);
      throw e;
    }
  }

  private void awaitPermit(Duration atMost, Cancellation cancellation) throws SQLException {
    boolean permitted = PostgresConnections.await(
        Cancellation.none(), () -> permits.tryAcquire(0, TimeUnit.NANOSECONDS), late -> {});
    if (!permitted) {
      permitted = PostgresConnections.await(
          cancellation,
          () -> permits.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS),
          late -> permits.release(late ? 1 : 0));
    }
    if (!permitted) {
      throw new SQLTransientConnectionException("All connections are in use");
    }
  }

  private @Nullable Connection usable(Duration atMost, Cancellation cancellation) {
    for (Idle next = takeIdle(); next != null; next = takeIdle()) {
      if (!next.hasRested(REST_BEFORE_CHECK_NANOS)
          || isAlive(next.connection, atMost, cancellation)) {
        return next.connection;
      }
      PostgresConnections.closeQuietly(next.connection);
      cancellation.throwIfCancelled();
    }
    return null;
  }

  private static boolean isAlive(
      Connection connection, Duration atMost, Cancellation cancellation) {
    try (CallInFlight call =
        CallInFlight.begin(cancellation, () -> PostgresConnections.abort(connection))) {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(atMost.toMillis()));
      return connection.isValid((int) Math.max(1, atMost.toSeconds()));
    } catch (SQLException e) {
      return false;
    }
  }

  private @Nullable Idle takeIdle() {
    guard.lock();
    try {
      return idle.pollFirst();
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void giveBack(Connection connection, boolean broken) {
    List<Connection> leaving = new ArrayList<>();
    guard.lock();
    try {
      if (broken || closed) {
        leaving.add(connection);
      } else {
        idle.addFirst(new Idle(connection, System.nanoTime()));
      }
      // What broke this one most likely broke the others, too.
      while (!idle.isEmpty() && (broken || idle.getLast().hasRested(LONGEST_REST_NANOS))) {
        leaving.add(idle.removeLast().connection);
      }
    } finally {
      guard.unlock();
    }
    leaving.forEach(PostgresConnections::closeQuietly);
    permits.release();
  }

  @Override
  public void close() {
    List<Idle> leaving;
    guard.lock();
    try {
      closed = true;
      leaving = List.copyOf(idle);
      idle.clear();
    } finally {
      guard.unlock();
    }
    leaving.forEach(each -> PostgresConnections.closeQuietly(each.connection));
  }
}
