package dev.syncguard.benchmarks.redis;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a free port of the loopback interface that keeps nothing on disk, and its own counters. */
public final class RedisServer implements AutoCloseable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int TIMEOUT_MILLIS = 10_000;

  private final Process process;
  private final Thread killer;
  private final int port;
  private final Jedis connection;

  private RedisServer(Process process, int port) throws InterruptedException {
    this.process = process;
    this.port = port;
    // Somebody who interrupts the program finds no server left behind.
    this.killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    this.connection = connect();
  }

  /** Starts the server that is installed, or else the one that a Maven artifact brings. */
  public static RedisServer start(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    int port = freePort();
    List<String> command = List.of(
        program(directory.toFile()).getPath(),
        "--port",
        Integer.toString(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        directory.toString(),
        "--save",
        "");
    return new RedisServer(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start(),
        port);
  }

  private static File program(File directory) throws IOException {
    try {
      return ExecutableProvider.newExecutableInPath("redis-server").get();
    } catch (FileNotFoundException e) {
      return ExecutableProvider.newJarResourceProvider(directory).get();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Jedis connect() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      Jedis candidate = null;
      try {
        candidate = new Jedis("127.0.0.1", port, TIMEOUT_MILLIS);
        candidate.ping();
        return candidate;
      } catch (JedisException e) {
        if (candidate != null) {
          candidate.close();
        }
        if (!process.isAlive() || System.nanoTime() - deadline > 0) {
          process.destroyForcibly();
          throw new IllegalStateException("redis-server does not start", e);
        }
        Thread.sleep(20);
      }
    }
  }

  int port() {
    return port;
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  String version() {
    return field("redis_version", connection.info("server"));
  }

  /** Returns what the server has done so far, this question included. */
  ServerWork work() {
    String info = connection.info("all");
    long commands = info.lines()
        .filter(line -> line.startsWith("cmdstat_"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+).*", "$1")))
        .sum();
    return new ServerWork(
        Long.parseLong(field("total_reads_processed", info)),
        commands,
        Long.parseLong(field("total_net_input_bytes", info)),
        info.lines()
            .filter(line -> line.matches("cmdstat_(eval|evalsha|fcall):.*"))
            .mapToLong(line -> Long.parseLong(line.replaceAll(".*,usec=(\\d+).*", "$1")))
            .sum(),
        Math.round(1e6
            * (Double.parseDouble(field("used_cpu_user", info))
                + Double.parseDouble(field("used_cpu_sys", info)))));
  }

  /** Returns how many bytes the server uses for what it stores. */
  long datasetBytes() {
    return Long.parseLong(field("used_memory", connection.info("memory")));
  }

  long keys() {
    return connection.dbSize();
  }

  void forgetEverything() {
    connection.flushAll();
  }

  private static String field(String name, String info) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("This Redis does not count " + name));
  }

  @Override
  public void close() {
    connection.close();
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
