package dev.syncguard.lock.springboot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The machine's Redis server, on a free port of loopback, until it is closed. */
final class RedisProcess implements AutoCloseable {

  private final Process process;
  private final Path directory;
  private final int port;

  private RedisProcess(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  static RedisProcess start(String... settings) throws IOException {
    int port = freePort();
    Path directory = Files.createTempDirectory("syncguard-spring-redis");
    List<String> command = new ArrayList<>(List.of(
        "redis-server",
        "--port",
        "" + port,
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        "" + directory));
    command.addAll(List.of(settings));
    return await(command, directory, port);
  }

  /** Starts a sentinel, which keeps what it learns in its file of settings. */
  static RedisProcess sentinel(RedisProcess primary, String... lines) throws IOException {
    int port = freePort();
    Path directory = Files.createTempDirectory("syncguard-spring-sentinel");
    Path settings = directory.resolve("sentinel.conf");
    List<String> text = new ArrayList<>(List.of(
        "port " + port,
        "bind 127.0.0.1",
        "dir " + directory,
        "sentinel monitor mymaster 127.0.0.1 " + primary.port + " 1"));
    text.addAll(List.of(lines));
    Files.write(settings, text);
    return await(List.of("redis-server", settings.toString(), "--sentinel"), directory, port);
  }

  private static RedisProcess await(List<String> command, Path directory, int port)
      throws IOException {
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
    RedisProcess server = new RedisProcess(process, directory, port);
    Eventually.holds(() -> {
      if (!process.isAlive()) {
        throw new AssertionError("The Redis server did not start: " + server.log());
      }
      return server.isListening();
    });
    return server;
  }

  int port() {
    return port;
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted(java.util.Comparator.reverseOrder())
          .forEach(file -> file.toFile().delete());
    }
  }
}
