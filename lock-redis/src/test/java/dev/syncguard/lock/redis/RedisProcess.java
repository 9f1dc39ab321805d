package dev.syncguard.lock.redis;

import dev.syncguard.lock.testkit.FailoverRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis server of our own on a free port of the loopback interface, with a directory of its own. */
final class RedisProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_PORTS_TRIED = 10;
  private static final String REQUIRE_PASSWORD = "--requirepass";

  private final RedisBinary binary;
  private final List<String> settings;
  private final Path directory;
  private final int port;
  private @Nullable Process process;

  private RedisProcess(RedisBinary binary, List<String> settings, int port) throws IOException {
    this.binary = binary;
    this.settings = settings;
    this.port = port;
    this.directory = Files.createTempDirectory("syncguard-redis");
  }

  /** Starts a server that keeps nothing on disk unless the settings say so. */
  static RedisProcess start(RedisBinary binary, String... settings) {
    List<String> all = new ArrayList<>(List.of("--save", ""));
    all.addAll(List.of(settings));
    try {
      for (int tried = 0; tried < MOST_PORTS_TRIED; tried++) {
        RedisProcess server = new RedisProcess(binary, all, freePort());
        server.launch();
        if (server.isUp()) {
          return server;
        }
        server.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("redis-server does not start");
  }

  /** Starts a sentinel that watches a primary under the name {@code mymaster}, and decides alone. */
  static RedisProcess sentinel(RedisBinary binary, RedisProcess primary) throws IOException {
    return sentinel(binary, primary.port, 1);
  }

  /** Starts a sentinel that reaches the primary at this port, and needs so many to agree that it is down. */
  static RedisProcess sentinel(RedisBinary binary, int primary, int quorum) throws IOException {
    RedisProcess sentinel = new RedisProcess(binary, List.of(), freePort());
    Path file = sentinel.directory.resolve("sentinel.conf");
    Files.writeString(file, """
        port %d
        bind 127.0.0.1
        dir %s
        sentinel monitor mymaster 127.0.0.1 %d %d
        sentinel down-after-milliseconds mymaster 1000
        sentinel failover-timeout mymaster 5000
        """.formatted(sentinel.port, sentinel.directory, primary, quorum));
    sentinel.process = sentinel.run(List.of(file.toString(), "--sentinel"));
    if (!sentinel.isUp()) {
      sentinel.close();
      throw new IllegalStateException("redis-sentinel does not start");
    }
    return sentinel;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // A cluster node listens on this port plus 10000 as well.
      int port = socket.getLocalPort();
      return port > 55_000 ? port - 20_000 : port;
    }
  }

  private void launch() throws IOException {
    List<String> arguments = new ArrayList<>(List.of(
        "--port", String.valueOf(port), "--bind", "127.0.0.1", "--dir", directory.toString()));
    arguments.addAll(settings);
    process = run(arguments);
  }

  private Process run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(binary.path().toString()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("server.log").toFile())
        .start();
  }

  private Process process() {
    return Objects.requireNonNull(process);
  }

  private boolean isUp() {
    return await(() -> !process().isAlive() || answers()) && process().isAlive();
  }

  private boolean answers() {
    try (Jedis jedis = jedis()) {
      String info = jedis.info("persistence");
      return !info.contains("loading:1");
    } catch (JedisException e) {
      return false;
    }
  }

  /** Waits until something is so, for as long as a busy machine may need, and returns whether it is. */
  static boolean await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      sleep(Duration.ofMillis(10));
    }
    return true;
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process().pid();
  }

  String url() {
    return "redis://" + password().map(password -> ":" + password + "@").orElse("") + "127.0.0.1:"
        + port;
  }

  /**
   * Returns settings for clients of tests that are not about timeouts. On a busy machine one flush of a disk can take longer than
   * the default of two seconds.
   */
  RedisSettings patient() {
    return RedisSettings.standalone("127.0.0.1", port)
        .login(null, password().orElse(null))
        .timeout(PATIENCE);
  }

  private Optional<String> password() {
    int at = settings.indexOf(REQUIRE_PASSWORD);
    return at < 0 ? Optional.empty() : Optional.of(settings.get(at + 1));
  }

  HostAndPort address() {
    return new HostAndPort("127.0.0.1", port);
  }

  RedisClient client() {
    return RedisClient.create(address());
  }

  /** Returns a bare connection for a test that wants to look behind the scenes. */
  Jedis jedis() {
    Jedis jedis = new Jedis("127.0.0.1", port, (int) PATIENCE.toMillis());
    password().ifPresent(jedis::auth);
    return jedis;
  }

  /** Ends the server as a crash would. */
  void kill() {
    Process running = process().destroyForcibly();
    try {
      running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it as a power cut would after the last fsync and what happened since: that is gone. */
  void cutPower(FailoverRun.Failover sinceFsync) throws Exception {
    Path file = appendOnlyFile();
    long synced = Files.size(file);
    sinceFsync.happen();
    kill();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(synced);
    }
  }

  private Path appendOnlyFile() {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".incr.aof") || file.endsWith("appendonly.aof"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends the server a signal such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IllegalStateException("kill -" + name + " failed");
    }
  }

  /** Starts the server again where it was, with what it kept. */
  void restart() {
    try {
      launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!isUp()) {
      throw new IllegalStateException("redis-server does not start again");
    }
  }

  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
