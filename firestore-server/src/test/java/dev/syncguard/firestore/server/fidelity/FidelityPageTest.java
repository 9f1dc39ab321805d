package dev.syncguard.firestore.server.fidelity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page that says how close we are to Firestore says what the build has found. */
class FidelityPageTest {
  private static final Path PAGE = Path.of("..", "docs", "fidelity.md");

  @Test
  void thePageSaysWhatTheBuildFinds() throws Exception {
    String found = FidelityPage.write();
    if (Boolean.getBoolean("syncguard.fidelity.write")) {
      Files.writeString(PAGE, found);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/fidelity.md is out of date: write it anew with firestore-server/fidelity")
        .isEqualTo(found);
  }
}
