package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The pooler of the system's packages, in front of one database. */
final class Pgbouncer implements AutoCloseable {

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final String url;
  private final List<String> command = new ArrayList<>();
  private Process process;

  private Pgbouncer(PostgresDatabase database, String mode) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    url = PostgresServer.url(port, database.name());
    Path users = Files.writeString(
        directory.path().resolve("users"),
        "\"" + PostgresServer.USER + "\" \"" + PostgresServer.PASSWORD + "\"\n");
    Path settings = Files.writeString(directory.path().resolve("settings"), """
        [databases]
        * = host=127.0.0.1 port=%d pool_size=12

        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = scram-sha-256
        auth_file = %s
        pool_mode = %s
        ignore_startup_parameters = extra_float_digits
        """.formatted(
            database.server().port(), port, users, mode));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of(program().toString(), "--quiet", settings.toString()));
    process = launch();
    PostgresDatabase.await(this::answers);
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.path().resolve("log").toFile())
        .start();
  }

  /** Ends it as a crash would, and starts it again on the same port. */
  void restart() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    process = launch();
    PostgresDatabase.await(this::answers);
  }

  static Pgbouncer start(PostgresDatabase database, String mode) throws IOException {
    return new Pgbouncer(database, mode);
  }

  private static Path program() {
    return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "pgbouncer is not installed; try: apt-get install pgbouncer"));
  }

  String url() {
    return url;
  }

  private boolean answers() {
    if (!process.isAlive()) {
      throw new IllegalStateException("pgbouncer does not start: " + log());
    }
    try (Connection connection = PostgresAddress.parse(url, Map.of()).source().getConnection()) {
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(directory.path().resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    directory.close();
  }
}
