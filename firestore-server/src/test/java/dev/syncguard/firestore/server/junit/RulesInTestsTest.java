package dev.syncguard.firestore.server.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@FirestoreTest(project = "demo-rules", rules = "../sync/firebase/firestore.rules")
class RulesInTestsTest {
  private static final String NODE = "pr_sync_v1/lw/nodes/pr_sync_" + "0".repeat(64);

  @Nested
  class Inside {
    @Test
    void everybodyButTheClientOfTheTestIsJudgedByTheFile(
        Firestore firestore, FirestoreServer server) throws Exception {
      firestore.document(NODE).set(Map.of("a", 1)).get();
      assertThat(get(server, NODE)).isEqualTo(200);
      firestore.document("other/doc").set(Map.of()).get();
      assertThat(get(server, "other/doc")).isEqualTo(403);
    }
  }

  private static int get(FirestoreServer server, String document) throws Exception {
    URI uri = URI.create("http://" + server.emulatorHost()
        + "/v1/projects/demo-rules/databases/(default)/documents/" + document);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .statusCode();
  }
}
