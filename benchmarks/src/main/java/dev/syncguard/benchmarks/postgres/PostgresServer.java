package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A PostgreSQL server on a free port of the loopback interface, as durable as a server is by default, with the tables of
 * everybody but SyncGuard.
 */
public final class PostgresServer implements AutoCloseable {

  private static final String TABLES = """
      CREATE TABLE bare (key text PRIMARY KEY, value bigint NOT NULL);
      INSERT INTO bare SELECT format('key-%s-%s', t, k), 0 FROM generate_series(0, 15) t, generate_series(0, 63) k;
      INSERT INTO bare VALUES ('contested', 0);
      CREATE TABLE floor (key text PRIMARY KEY, owner text, fence bigint NOT NULL, until timestamptz NOT NULL);
      CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,
        locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL);
      CREATE TABLE int_lock (lock_key char(36) NOT NULL, region varchar(100) NOT NULL, client_id char(36),
        created_date timestamp NOT NULL, expired_after timestamp NOT NULL, PRIMARY KEY (lock_key, region));
      """;

  private final EmbeddedPostgres process;
  private final Connection connection;

  private PostgresServer(EmbeddedPostgres process) throws SQLException {
    this.process = process;
    this.connection = process.getPostgresDatabase().getConnection();
    execute(TABLES);
  }

  public static PostgresServer start(Path directory) throws IOException, SQLException {
    // Where its programs are unpacked; otherwise they would stay behind in the directory of the
    // system.
    System.setProperty("ot.epg.working-dir", directory.toString());
    // The library that starts it turns durability off, for tests.
    PostgresServer server = new PostgresServer(EmbeddedPostgres.builder()
        .setDataDirectory(directory.resolve("data"))
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("max_connections", "300")
        .start());
    if (!server.text("SHOW fsync").equals("on")
        || !server.text("SHOW synchronous_commit").equals("on")) {
      server.close();
      throw new IllegalStateException("This PostgreSQL does not wait for the disk");
    }
    return server;
  }

  /** Returns where the server is, in the form that {@link Pools} and SyncGuard read. */
  public String url() {
    return url("postgres");
  }

  int port() {
    return process.getPort();
  }

  /** Returns where another database of the server is. */
  String url(String database) {
    return "postgresql://postgres@127.0.0.1:" + process.getPort() + "/" + database;
  }

  String version() {
    return text("SHOW server_version");
  }

  void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String text(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  double number(String query) {
    return Double.parseDouble(text(query));
  }

  /** Returns what the server has done so far; {@code users} are those whose work is counted. */
  ServerWork work(HikariDataSource users) throws SQLException {
    // A session tells its counters now and then, and only if it has used a table; those of whoever
    // was busy are wanted now.
    long session;
    try (Connection busy = users.getConnection();
        Statement statement = busy.createStatement();
        ResultSet rows = statement.executeQuery(
            "SELECT pg_backend_pid(), pg_stat_force_next_flush() FROM bare LIMIT 1")) {
      rows.next();
      session = rows.getLong(1);
    }
    return new ServerWork(
        number("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"),
        ProcessHandle.of(session).map(PostgresServer::cpuMillis).orElseThrow() * 1e3,
        number("SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"),
        number("SELECT pg_current_wal_insert_lsn() - '0/0'"));
  }

  /** Returns how much processor time all processes of the server have used so far that are still there. */
  double cpuMillis() {
    ProcessHandle parent = ProcessHandle.of((long) number("SELECT pg_backend_pid()"))
        .flatMap(ProcessHandle::parent)
        .orElseThrow();
    return cpuMillis(parent)
        + parent.children().mapToDouble(PostgresServer::cpuMillis).sum();
  }

  private static double cpuMillis(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  @Override
  public void close() {
    try {
      connection.close();
      process.close();
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("PostgreSQL does not end", e);
    }
  }
}
