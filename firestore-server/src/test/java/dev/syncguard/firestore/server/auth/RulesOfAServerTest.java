package dev.syncguard.firestore.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.RulesFileWatch.Reload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the rules of a server come from, and what it does without. */
class RulesOfAServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BROKEN = """
      service cloud.firestore {
        match /a/{b} { allow get: if (true; }
      }
      """;

  @TempDir
  private Path directory;

  private static String allowing(String collection) {
    return """
        service cloud.firestore {
          match /databases/{d}/documents/%s/{id} {
            allow get: if id != '<b>';
          }
        }
        """.formatted(collection);
  }

  @Test
  void withoutRulesOnlyTheAdministratorGetsIn() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      assertThat(RestClient.nobody(server).documents("GET", "/a/b", "").body())
          .contains("403", "PERMISSION_DENIED", "Missing or insufficient permissions.");
      assertThat(RestClient.user(server, "{'sub':'ann'}").set("/a/b", "")).isEqualTo(403);
      assertThat(RestClient.owner(server).get("/a/b")).isEqualTo(404);
    }
  }

  @Test
  void rulesTakeThePlaceOfAnOpenDoor() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .rules(allowing("a"))
        .start()) {
      assertThat(RestClient.nobody(server).get("/a/b")).isEqualTo(404);
      assertThat(RestClient.nobody(server).get("/other/b")).isEqualTo(403);
    }
  }

  @Test
  void rulesThatDoNotCompileAreRefusedOnTheLineThatSetsThem() throws Exception {
    assertThatThrownBy(() -> FirestoreServer.builder().rules(BROKEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rules:2:")
        .hasMessageContaining("^");
    Path file = Files.writeString(directory.resolve("broken.rules"), BROKEN);
    assertThatThrownBy(() -> FirestoreServer.builder().rules(file))
        .hasMessageContaining("broken.rules:2:");
    assertThatThrownBy(() -> FirestoreServer.builder().rules(directory.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFileOfRulesHoldsAgainWheneverItChangesAndCompiles() throws Exception {
    Path file = Files.writeString(directory.resolve("firestore.rules"), allowing("a"));
    BlockingQueue<Reload> reloads = new LinkedBlockingQueue<>();
    try (FirestoreServer server =
        FirestoreServer.builder().rules(file, reloads::add).start()) {
      RestClient nobody = RestClient.nobody(server);
      assertThat(next(reloads)).isEqualTo(new Reload(true, ""));
      assertThat(nobody.get("/a/x")).isEqualTo(404);
      Files.writeString(file, allowing("b"));
      assertThat(next(reloads).applied()).isTrue();
      assertThat(nobody.get("/a/x")).isEqualTo(403);
      assertThat(nobody.get("/b/x")).isEqualTo(404);
      Files.writeString(file, BROKEN);
      assertThat(next(reloads)).satisfies(reload -> {
        assertThat(reload.applied()).isFalse();
        assertThat(reload.problems()).contains("firestore.rules:2:", "error:", "^");
      });
      assertThat(nobody.get("/b/x")).as("the old rules stay").isEqualTo(404);
      Files.delete(file);
      assertThat(next(reloads).problems()).contains("cannot be read");
      assertThat(nobody.get("/b/x")).isEqualTo(404);
      Files.writeString(file, allowing("a"));
      assertThat(next(reloads).applied()).isTrue();
      assertThat(nobody.get("/a/x")).isEqualTo(404);
    }
  }

  private static Reload next(BlockingQueue<Reload> reloads) throws InterruptedException {
    Reload reload = reloads.poll(60, TimeUnit.SECONDS);
    assertThat(reload).as("a reload in time").isNotNull();
    return reload;
  }

  @Test
  void aClientLoadsRulesForItsProjectAlone() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().rules(allowing("b")).start()) {
      RestClient nobody = RestClient.nobody(server);
      assertThat(load(nobody, "p", allowing("a"), false).status()).isEqualTo(200);
      assertThat(nobody.get("/a/x")).isEqualTo(404);
      assertThat(nobody.get("/b/x")).isEqualTo(403);
      assertThat(nobody
              .send("GET", "/v1/projects/other/databases/(default)/documents/b/x", "")
              .status())
          .isEqualTo(404);
    }
  }

  @Test
  void loadedRulesThatDoNotCompileChangeNothing() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().rules(allowing("a")).start()) {
      RestClient nobody = RestClient.nobody(server);
      RestClient.Answer refused = load(nobody, "p", BROKEN, false);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(JSON.readTree(refused.body()).path("error").path("message").asText())
          .contains("rules:2:", "^");
      JsonNode issue =
          JSON.readTree(load(nobody, "p", BROKEN, true).body()).path("issues").path(0);
      // As the official emulator words it; Firebase's tools print the description at the position.
      assertThat(issue.path("sourcePosition").path("line").asInt()).isEqualTo(2);
      assertThat(issue.path("sourcePosition").path("column").asInt()).isPositive();
      assertThat(issue.path("description").asText()).isNotBlank();
      assertThat(issue.path("severity").asText()).isEqualTo("ERROR");
      assertThat(nobody.get("/a/x")).isEqualTo(404);
      assertThat(
              nobody.send("PUT", "/emulator/v1/projects/p:securityRules", "{").status())
          .isEqualTo(400);
    }
  }

  @Test
  void theCoverageShowsWhatEveryExpressionCameTo() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().rules(allowing("a")).start()) {
      RestClient nobody = RestClient.nobody(server);
      nobody.get("/a/one");
      nobody.get("/a/two");
      nobody.get("/a/%3Cb%3E");
      JsonNode report = JSON.readTree(
          nobody.send("GET", "/emulator/v1/projects/p:ruleCoverage", "").body());
      JsonNode condition = report.path("report").path(0);
      assertThat(condition.path("sourcePosition").path("line").asInt()).isEqualTo(3);
      assertThat(condition.path("values").toString())
          .isEqualTo(
              "[{\"value\":{\"boolValue\":true},\"count\":2},{\"value\":{\"boolValue\":false},\"count\":1}]");
      String page =
          nobody.send("GET", "/emulator/v1/projects/p:ruleCoverage.html", "").body();
      assertThat(page).contains("title=\"true ×2, false ×1\"", "&lt;b&gt;").doesNotContain("<b>");
    }
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      assertThat(RestClient.nobody(server)
              .send("GET", "/emulator/v1/projects/p:ruleCoverage", "")
              .status())
          .isEqualTo(404);
    }
  }

  private static RestClient.Answer load(
      RestClient client, String project, String rules, boolean ignoreErrors) throws Exception {
    String body = JSON.writeValueAsString(Map.of(
        "ignoreErrors", ignoreErrors, "rules", Map.of("files", List.of(Map.of("content", rules)))));
    return client.send("PUT", "/emulator/v1/projects/" + project + ":securityRules", body);
  }
}
