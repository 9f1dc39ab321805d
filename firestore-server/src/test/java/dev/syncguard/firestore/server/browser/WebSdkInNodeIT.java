package dev.syncguard.firestore.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.NpmProject;
import dev.syncguard.firestore.server.google.GoogleTests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The web SDK in Node, as in tests and in pages that a server renders: there it speaks gRPC. */
class WebSdkInNodeIT {
  /** What a bundle of modules lacks that the SDK, or gRPC in it, expects of Node. */
  private static final String NODES_NAMES = "import {createRequire} from 'module';"
      + "import {fileURLToPath} from 'url';"
      + "const require = createRequire(import.meta.url);"
      + "const __filename = fileURLToPath(import.meta.url);"
      + "const __dirname = fileURLToPath(new URL('.', import.meta.url));";

  @ParameterizedTest
  @ValueSource(strings = {"12", "11", "10"})
  void theScenariosThatNeedNoPageWork(String version) throws Exception {
    NpmProject npm = NpmProject.install("browser", "node.js", "scenarios.js", "api.js");
    String program = "node-" + version + ".mjs";
    WebSdkIT.bundle(
        npm,
        "node.js",
        version,
        program,
        "--platform=node",
        "--format=esm",
        "--banner:js=" + NODES_NAMES);
    try (FirestoreServer server = FirestoreServer.builder().rules(SdkRun.RULES).start()) {
      ProcessBuilder node = new ProcessBuilder("node", program);
      node.environment().put("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
      assertThat(npm.run("a scenario failed", node)).contains("29 scenarios");
    }
  }

  @Test
  void whatThePackageHasOfItsTestsIsWhatTheReportLists() throws Exception {
    NpmProject npm = NpmProject.install("browser");
    Path declarations =
        npm.directory().resolve("node_modules/firestore-12/dist/firestore/test").toAbsolutePath();
    try (Stream<Path> files = Files.walk(declarations)) {
      List<String> all =
          files.map(file -> declarations.relativize(file).toString()).toList();
      assertThat(all)
          .as("tests that could be run")
          .noneMatch(file -> file.matches(".*[^d]\\.[cm]?[jt]s"));
      List<String> integration = all.stream()
          .filter(file -> file.matches("(integration/.*|lite/integration)\\.test\\.d\\.ts"))
          .map(file -> file.replaceFirst("^integration/", "").replaceFirst("\\.test\\.d\\.ts$", ""))
          .toList();
      assertThat(GoogleTests.notes("/web-sdk-tests.txt").keySet())
          .containsExactlyInAnyOrderElementsOf(integration);
    }
  }
}
