package dev.syncguard.lock.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of its own for one test, on the shared server. It is empty at first. */
final class PostgresDatabase implements AutoCloseable {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final long PATIENCE_SECONDS = 60;

  private final PostgresServer server = PostgresServer.shared(PostgresBinaries.V18);
  private final String name = "test_" + COUNT.incrementAndGet();

  PostgresDatabase() {
    server.execute("CREATE DATABASE " + name);
  }

  PostgresServer server() {
    return server;
  }

  String name() {
    return name;
  }

  /** Returns the address, with user and password. */
  String url() {
    return PostgresServer.url(server.port(), name);
  }

  PGSimpleDataSource source() {
    PGSimpleDataSource source = server.source();
    source.setDatabaseName(name);
    return source;
  }

  HikariDataSource pool(PGSimpleDataSource source, int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(5_000);
    return new HikariDataSource(config);
  }

  /** Returns a backend over empty tables. */
  PostgresLockBackend open() {
    PostgresLockBackend backend = PostgresLockBackend.connect(url());
    backend.setupSchema();
    return backend;
  }

  void execute(String sql) {
    try (Connection connection = source().getConnection()) {
      execute(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String query) {
    return Long.parseLong(text(query));
  }

  /** Returns the first column of the first row. */
  String text(String query) {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until some session of this database waits for a lock. */
  void awaitBlockedSession() {
    await(() -> server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND datname = '" + name + "'")
        > 0);
  }

  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    server.execute("DROP DATABASE " + name + " WITH (FORCE)");
  }
}
