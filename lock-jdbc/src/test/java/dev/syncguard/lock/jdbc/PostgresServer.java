package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL server of our own, with a data directory that goes with it. */
final class PostgresServer implements AutoCloseable {

  static final String USER = "keeper";
  static final String PASSWORD = "open-sesame-4711";

  private static final long PATIENCE_SECONDS = 60;
  private static final Map<PostgresBinaries, PostgresServer> SHARED =
      new EnumMap<>(PostgresBinaries.class);

  private final Path programs;
  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final List<String> settings;
  private int port;
  private @Nullable Process process;
  private @Nullable Connection connection;

  private PostgresServer(PostgresBinaries binaries, List<String> settings) {
    this.programs = binaries.directory();
    this.settings = settings;
    try {
      Path password = Files.writeString(directory.path().resolve("password"), PASSWORD);
      run(
          "initdb",
          "--no-sync",
          "--encoding=UTF8",
          "--locale=C",
          "--auth=scram-sha-256",
          "--username=" + USER,
          "--pwfile=" + password,
          "--pgdata=" + data());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start();
  }

  private PostgresServer(PostgresServer primary, int by, List<String> settings) {
    this.programs = primary.programs;
    this.settings = settings;
    run(
        "pg_basebackup",
        "--no-sync",
        "--checkpoint=fast",
        "--write-recovery-conf",
        "--pgdata=" + data(),
        "--dbname=" + url(by, "postgres"));
    start();
  }

  /** Starts a standby that follows the given primary by way of this port, with a data directory copied from it. */
  static PostgresServer standbyOf(PostgresServer primary, int by, String... settings) {
    return new PostgresServer(primary, by, List.of(settings));
  }

  /** Ends it in an orderly way. */
  void stop() {
    await(signalled("INT"));
    await(process());
  }

  /** Makes a standby the primary, and returns when it takes writes. */
  void promote() {
    text("SELECT pg_promote()");
  }

  /** Follows another primary from now on, after its own history was undone as far as the other one does not know it. */
  void rewindTo(PostgresServer primary) {
    run(
        "pg_rewind",
        "--no-sync",
        "--write-recovery-conf",
        "--target-pgdata=" + data(),
        "--source-server=" + url(primary.port, "postgres"));
    start();
  }

  /** Starts a server with settings such as {@code synchronous_commit=off}. */
  static PostgresServer start(PostgresBinaries binaries, String... settings) {
    return new PostgresServer(binaries, List.of(settings));
  }

  /** Returns the server that all tests share which do not do harm to it, until the JVM ends. */
  static synchronized PostgresServer shared(PostgresBinaries binaries) {
    return SHARED.computeIfAbsent(binaries, wanted -> {
      PostgresServer server = start(wanted, "fsync=off", "max_connections=300");
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    });
  }

  private Path data() {
    return directory.path().resolve("data");
  }

  /** Starts the server, on the port that it had before if there was one, and waits until it answers. */
  void start() {
    for (int attempt = 0; attempt < 5; attempt++) {
      int wanted = port == 0 ? freePort() : port;
      List<String> command = command(
          "postgres",
          "-D",
          data().toString(),
          "-p",
          Integer.toString(wanted),
          "-c",
          "listen_addresses=127.0.0.1",
          "-c",
          "unix_socket_directories=");
      settings.forEach(setting -> command.addAll(List.of("-c", setting)));
      try {
        process = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (answers(wanted)) {
        port = wanted;
        return;
      }
    }
    throw new IllegalStateException("PostgreSQL does not start:\n" + readLog());
  }

  private boolean answers(int wanted) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline && process().isAlive()) {
      try (Connection first = source(wanted).getConnection()) {
        return true;
      } catch (SQLException e) {
        pauseBriefly();
      }
    }
    return false;
  }

  private static void pauseBriefly() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes it a standby that waits for news from a primary, and may be read meanwhile. */
  void becomeStandby() {
    stop();
    try {
      Files.createFile(data().resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start();
  }

  private Process signalled(String signal) {
    try {
      return new ProcessBuilder("kill", "-" + signal, Long.toString(process().pid())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the server and all its sessions as kill -9 does. */
  void kill() {
    Process running = process();
    List<ProcessHandle> sessions = running.descendants().toList();
    running.destroyForcibly();
    sessions.forEach(ProcessHandle::destroyForcibly);
    await(running);
    sessions.forEach(session ->
        session.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
  }

  int port() {
    return port;
  }

  /** Returns the address of the database, with user and password. */
  String url() {
    return url(port, "postgres");
  }

  static String url(int port, String database) {
    return "postgresql://" + USER + ":" + PASSWORD + "@127.0.0.1:" + port + "/" + database;
  }

  /** Returns a data source without a pool. */
  PGSimpleDataSource source() {
    return source(port);
  }

  private static PGSimpleDataSource source(int port) {
    return PostgresAddress.parse(url(port, "postgres"), Map.of()).source();
  }

  /** Runs statements as the owner of everything. */
  void execute(String sql) {
    text(sql);
  }

  long number(String query) {
    return Long.parseLong(text(query).orElseThrow());
  }

  /** Returns the first column of the first row, if there is one. */
  synchronized Optional<String> text(String query) {
    try (Statement statement = connection().createStatement()) {
      boolean answered = statement.execute(query);
      try (ResultSet rows = answered ? statement.getResultSet() : null) {
        return rows != null && rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connection() throws SQLException {
    if (connection == null || !connection.isValid(1)) {
      connection = source().getConnection();
    }
    return connection;
  }

  private void run(String... program) {
    try {
      Process done = new ProcessBuilder(command(program))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
          .start();
      await(done);
      if (done.exitValue() != 0) {
        throw new IllegalStateException(program[0] + " failed:\n" + readLog());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server refuses to run as root; in a user namespace nobody is. */
  private List<String> command(String... program) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of(program));
    command.set(command.size() - program.length, programs.resolve(program[0]).toString());
    return command;
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("The server was never started");
    }
    return process;
  }

  private java.io.File log() {
    return directory.path().resolve("log").toFile();
  }

  private String readLog() {
    try {
      return Files.readString(log().toPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(Process process) {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("A program of PostgreSQL does not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
    directory.close();
  }
}
