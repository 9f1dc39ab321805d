package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that we did not write in a language that we do not use: Google's for Node, over both protocols. */
class NodeClientIT {
  private static NpmProject node;

  @BeforeAll
  static void installTheClient() throws Exception {
    node = NpmProject.install("node", "client.js");
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "rest"})
  void theNodeClientWorks(String protocol) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      ProcessBuilder client = new ProcessBuilder("node", "client.js", protocol);
      client.environment().put("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
      client
          .environment()
          .put("METADATA_SERVER_DETECTION", "none"); // it must not look beyond this machine
      assertThat(node.run("the client failed", client)).contains("all ok");
    }
  }
}
