package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that we did not write in a language that we do not use: Google's for Node, over both protocols. */
class NodeClientIT {
  private static final Path SOURCES = Path.of("src", "test", "node");
  private static final Path WORK = Path.of("target", "node");

  @BeforeAll
  static void installTheClient() throws Exception {
    Files.createDirectories(WORK);
    for (String file : List.of("package.json", "client.js")) {
      Files.copy(SOURCES.resolve(file), WORK.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.isDirectory(WORK.resolve("node_modules"))) {
      run(
          new ProcessBuilder(
              "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"),
          "npm could not install the client; is Node with npm installed?");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "rest"})
  void theNodeClientWorks(String protocol) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      ProcessBuilder builder = new ProcessBuilder("node", "client.js", protocol);
      builder.environment().put("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
      builder
          .environment()
          .put("METADATA_SERVER_DETECTION", "none"); // it must not look beyond this machine
      assertThat(run(builder, "the client failed")).contains("all ok");
    }
  }

  private static String run(ProcessBuilder builder, String complaint)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(WORK, "run", ".log");
    Process process = builder
        .directory(WORK.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
    boolean ended = process.waitFor(4, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String output = Files.readString(log, StandardCharsets.UTF_8);
    assertThat(ended && process.exitValue() == 0).as(complaint + "\n" + output).isTrue();
    return output;
  }
}
