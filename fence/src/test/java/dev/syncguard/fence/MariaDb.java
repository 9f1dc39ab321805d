package dev.syncguard.fence;

import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A MariaDB server of our own, with a data directory that goes with it. */
final class MariaDb implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final int port;
  private final Process process;

  MariaDb() throws IOException, InterruptedException, SQLException {
    Path data = directory.path().resolve("data");
    Path start = Files.writeString(
        directory.path().resolve("start.sql"),
        "GRANT ALL ON *.* TO keeper@localhost IDENTIFIED BY 'open-sesame-4711';");
    Process created = run(
        "mariadb-install-db",
        "--no-defaults",
        "--datadir=" + data,
        "--user=" + System.getProperty("user.name"),
        "--skip-test-db");
    if (created.waitFor() != 0) {
      throw new IllegalStateException("mariadb-install-db failed:\n" + Files.readString(log()));
    }
    port = freePort();
    process = run(
        "mariadbd",
        "--no-defaults",
        "--datadir=" + data,
        "--user=" + System.getProperty("user.name"),
        "--socket=" + directory.path().resolve("socket"),
        "--pid-file=" + directory.path().resolve("pid"),
        "--bind-address=127.0.0.1",
        "--port=" + port,
        "--init-file=" + start,
        "--innodb-flush-log-at-trx-commit=0");
    awaitAnswer();
  }

  String url() {
    return "jdbc:mariadb://localhost:" + port
        + "/test?user=keeper&password=open-sesame-4711&createDatabaseIfNotExist=true&sslMode=disable";
  }

  private void awaitAnswer() throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try (Connection first = DriverManager.getConnection(url())) {
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  /** Some systems keep the server where only root looks for programs. */
  private Process run(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(path(program)));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  private static String path(String program) {
    String places = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    for (String place : places.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(place, program);
      if (Files.isExecutable(candidate)) {
        return candidate.toString();
      }
    }
    throw new IllegalStateException(program
        + " is missing; install it with: apt-get install mariadb-client-core mariadb-server-core");
  }

  private Path log() {
    return directory.path().resolve("log");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    directory.close();
  }
}
