package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tools of Firebase can start our program as if it were the official emulator. */
@Tag("slow")
class EmulatorMainTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  @Test
  void theCommandLineOfFirebasesToolsIsUnderstood() {
    // As firebase-tools 15.34 writes it.
    assertThat(EmulatorMain.translate(List.of(
            "--host",
            "127.0.0.1",
            "--port",
            "8080",
            "--websocket_port",
            "9150",
            "--database-edition",
            "standard",
            "--project_id",
            "demo-x",
            "--seed_from_export",
            "/seed/firestore_export.overall_export_metadata",
            "--rules",
            "/app/firestore.rules",
            "--single_project_mode",
            "true",
            "--functions_emulator",
            "127.0.0.1:5001")))
        .containsExactly(
            "firestore",
            "--no-console",
            "--host",
            "127.0.0.1",
            "--port",
            "8080",
            "--project",
            "demo-x",
            "--import",
            "/seed/firestore_export.overall_export_metadata",
            "--rules",
            "/app/firestore.rules",
            "--functions",
            "127.0.0.1:5001");
    // As Google Cloud's tools write it.
    assertThat(EmulatorMain.translate(List.of("start", "--host=::1", "--port=8081")))
        .containsExactly("firestore", "--no-console", "--host=::1", "--port=8081");
  }

  @Test
  @Timeout(180)
  void theJarServesUntilItIsInterrupted() throws Exception {
    Path directory = syncguard.file("emulator");
    Answer written = syncguard.run("firestore", "jar", directory.toString());
    Path jar = directory.resolve("firestore.jar");
    assertThat(written.out().strip()).isEqualTo("export FIRESTORE_EMULATOR_BINARY_PATH=" + jar);
    // Interrupts must get through, also if whoever runs the tests has them ignored.
    Process emulator = new ProcessBuilder(
            "env",
            "--default-signal",
            ProcessHandle.current().info().command().orElseThrow(),
            "-jar",
            jar.toString(),
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--project_id",
            "demo-x",
            "--single_project_mode",
            "true")
        .redirectErrorStream(true)
        .start();
    try (var lines = emulator.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      assertThat(line).startsWith("export FIRESTORE_EMULATOR_HOST=127.0.0.1:").contains("demo-x");
      URI address = URI.create("http://" + line.split("[= ]", -1)[2] + "/");
      assertThat(HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
              .body())
          .isEqualTo("Ok\n");
      RealProgram.kill("INT", emulator.pid());
      assertThat(emulator.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(emulator.exitValue()).isIn(0, 130); // the tools take either for a good end
    } finally {
      emulator.destroyForcibly();
    }
  }
}
