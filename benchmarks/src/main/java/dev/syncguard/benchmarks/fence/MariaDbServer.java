package dev.syncguard.benchmarks.fence;

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

/** A MariaDB server on a free port of the loopback interface, as it is installed, with the durability that it has by itself. */
final class MariaDbServer implements AutoCloseable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String PASSWORD = "benchmark";

  private final int port;
  private final Process process;
  private final Thread killer;

  private MariaDbServer(int port, Process process) {
    this.port = port;
    this.process = process;
    // Somebody who interrupts the program finds no server left behind.
    this.killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  static MariaDbServer start(Path directory)
      throws IOException, InterruptedException, SQLException {
    Files.createDirectories(directory);
    Path data = directory.resolve("data");
    String user = "--user=" + System.getProperty("user.name");
    Process created =
        run(directory, "mariadb-install-db", "--no-defaults", "--datadir=" + data, user);
    if (created.waitFor() != 0) {
      throw new IllegalStateException(
          "mariadb-install-db failed:\n" + Files.readString(directory.resolve("log")));
    }
    Path grants = Files.writeString(
        directory.resolve("start.sql"),
        "GRANT ALL ON *.* TO benchmark@localhost IDENTIFIED BY '" + PASSWORD + "';");
    int port = freePort();
    MariaDbServer server = new MariaDbServer(
        port,
        run(
            directory,
            "mariadbd",
            "--no-defaults",
            "--datadir=" + data,
            user,
            "--socket=" + directory.resolve("socket"),
            "--pid-file=" + directory.resolve("pid"),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--init-file=" + grants));
    server.connectWhenReady().close();
    return server;
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://localhost:" + port + "/benchmark?user=benchmark&password=" + PASSWORD
            + "&createDatabaseIfNotExist=true&sslMode=disable");
  }

  private Connection connectWhenReady() throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return connect();
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() - deadline > 0) {
          close();
          throw e;
        }
        Thread.sleep(50);
      }
    }
  }

  /** Some systems keep the server where only root looks for programs. */
  private static Process run(Path directory, String program, String... arguments)
      throws IOException {
    String places = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    for (String place : places.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(place, program);
      if (Files.isExecutable(candidate)) {
        List<String> command = new ArrayList<>(List.of(candidate.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
      }
    }
    throw new IllegalStateException(program
        + " is missing; install it with: apt-get install mariadb-client-core mariadb-server-core");
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
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
