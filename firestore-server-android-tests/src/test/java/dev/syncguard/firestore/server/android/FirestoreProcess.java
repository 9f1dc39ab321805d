package dev.syncguard.firestore.server.android;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Our Firestore in a process of its own, with its own gRPC, that can be killed and started again at the same address. */
final class FirestoreProcess implements AutoCloseable {
  private static final Path MODULE = Path.of("..", "firestore-server", "target");
  private static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /private/{user} { allow read, write: if request.auth.uid == user; }
          match /{open}/{document=**} { allow read, write: if open != 'private'; }
        }
      }
      """;
  private static final String PROGRAM = """
      import dev.syncguard.firestore.server.FirestoreServer;
      import java.nio.file.Path;

      public class Program {
        public static void main(String[] arguments) throws Exception {
          try (var server = FirestoreServer.builder().port(Integer.parseInt(arguments[0]))
              .dataDirectory(Path.of(arguments[1])).rules(arguments[2]).start()) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {} // until whoever started it is gone
          }
        }
      }
      """;

  private final Path directory;
  private final int port;
  private Process process;

  private FirestoreProcess(Path directory, int port) throws IOException {
    this.directory = directory;
    this.port = port;
    this.process = start();
  }

  static FirestoreProcess start(Path directory) throws IOException {
    // Chosen here, because a server that comes back must have the same.
    try (ServerSocket free = new ServerSocket(0)) {
      int port = free.getLocalPort();
      free.close();
      return new FirestoreProcess(directory, port);
    }
  }

  private Process start() throws IOException {
    Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
    String libraries = Files.readString(MODULE.resolve("runtime.classpath")).strip();
    Process started = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            MODULE.resolve("classes") + ":" + libraries,
            source.toString(),
            String.valueOf(port),
            directory.resolve("data").toString(),
            RULES)
        .redirectError(directory.resolve("log").toFile())
        .start();
    BufferedReader output = started.inputReader();
    if (output.readLine() == null) {
      throw new IOException(
          "The Firestore server did not start: " + Files.readString(directory.resolve("log")));
    }
    return started;
  }

  int port() {
    return port;
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void startAgain() throws IOException {
    process = start();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
