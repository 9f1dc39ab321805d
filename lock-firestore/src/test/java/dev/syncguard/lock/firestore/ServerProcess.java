package dev.syncguard.lock.firestore;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A Firestore server in a process of its own, which keeps its data in a directory and can be killed. */
final class ServerProcess implements AutoCloseable {

  private final Path directory;
  private Process process;
  private final int port;

  private ServerProcess(Path directory) {
    this.directory = directory;
    this.process = launch(directory, 0);
    this.port = port(process);
  }

  static ServerProcess start(Path directory) {
    return new ServerProcess(directory);
  }

  private static Process launch(Path directory, int port) {
    try {
      return JavaProcess.start(ServerProcess.class, directory.toString(), String.valueOf(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port that a server tells once it answers. */
  private static int port(Process process) {
    try {
      String line = process.inputReader(StandardCharsets.UTF_8).readLine();
      if (line == null) {
        throw new IllegalStateException("The server did not start");
      }
      return Integer.parseInt(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the server again, on the port that it had. */
  void restart() {
    process = launch(directory, port);
    port(process);
  }

  String emulatorHost() {
    return "127.0.0.1:" + port;
  }

  /** Ends the server without any warning. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] arguments) throws InterruptedException {
    FirestoreServer server = FirestoreServer.builder()
        .port(Integer.parseInt(arguments[1]))
        .dataDirectory(Path.of(arguments[0]))
        .start();
    System.out.println(server.port());
    Thread.currentThread().join();
  }
}
