package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Firebase's own library for tests of rules takes our server for the emulator, and so does its web client. */
class RulesUnitTestingIT {
  private static final Path SYNC_RULES = Path.of("..", "sync", "firebase", "firestore.rules");

  @Test
  void testsOfRulesThatWereWrittenForTheEmulatorRun() throws Exception {
    NpmProject node = NpmProject.install("node-rules", "rules.test.js");
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      ProcessBuilder tests =
          new ProcessBuilder("node", "--test", "--test-reporter=tap", "rules.test.js");
      tests.environment().put("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
      tests.environment().put("SYNC_RULES", SYNC_RULES.toAbsolutePath().toString());
      assertThat(node.run("a test of rules failed", tests)).contains("# pass 9", "# fail 0");
    }
  }
}
