package dev.syncguard.lock.springboot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Our Firestore in a process of its own, until it is closed: its network library is newer than the one that Spring Boot 3.5
 * chooses for an application.
 */
final class FirestoreProcess implements AutoCloseable {
  private static final Path MODULE = Path.of("..", "firestore-server", "target");
  private static final String PROGRAM = """
      public class Program {
        public static void main(String[] arguments) throws Exception {
          try (var server = dev.syncguard.firestore.server.FirestoreServer.builder().start()) {
            System.out.println(server.emulatorHost());
            while (System.in.read() >= 0) {} // until whoever started it is gone
          }
        }
      }
      """;

  private final Process process;
  private final String host;

  private FirestoreProcess(Process process, String host) {
    this.process = process;
    this.host = host;
  }

  static FirestoreProcess start(Path directory) throws IOException {
    Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
    String libraries = Files.readString(MODULE.resolve("runtime.classpath")).strip();
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            MODULE.resolve("classes") + ":" + libraries,
            source.toString())
        .redirectError(directory.resolve("log").toFile())
        .start();
    BufferedReader output = process.inputReader();
    String host = output.readLine();
    if (host == null) {
      throw new IOException(
          "The Firestore server did not start: " + Files.readString(directory.resolve("log")));
    }
    return new FirestoreProcess(process, host);
  }

  String host() {
    return host;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
