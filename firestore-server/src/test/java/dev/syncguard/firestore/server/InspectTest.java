package dev.syncguard.firestore.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the server tells people who debug. */
class InspectTest {

  private static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /notes/{note} { allow read: if request.auth.uid == note; }
        }
      }
      """;
  private static final String ROOT = "/v1/projects/demo/databases/(default)/documents";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FirestoreServer server = FirestoreServer.builder().rules(RULES).start();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void nothingIsRememberedUntilSomebodyAsks() throws Exception {
    send("GET", ROOT + "/notes/ada", "owner", "");
    JsonNode first = inspect("requests");
    assertThat(first.get("recordedBefore").asBoolean()).isFalse();
    assertThat(first.get("requests")).isEmpty();

    send("GET", ROOT + "/notes/ada", "owner", "");
    JsonNode second = inspect("requests?after=" + first.get("revision").asLong());
    assertThat(second.get("requests")).hasSize(1);
    assertThat(second.at("/requests/0/caller").asText()).isEqualTo("administrator");
    assertThat(second.at("/requests/0/path").asText()).isEqualTo("notes/ada");
  }

  @Test
  void aDenialIsRememberedWithItsReasonsAndWithoutTheToken() throws Exception {
    inspect("requests");
    String token = part("{\"alg\":\"none\"}") + "." + part("{\"sub\":\"eve\"}") + ".c2VjcmV0";
    assertThat(send("GET", ROOT + "/notes/ada?key=api-key", token, ""))
        .contains("PERMISSION_DENIED");

    JsonNode answer = inspect("requests");
    JsonNode request = answer.at("/requests/0");
    assertThat(request.get("denied").asBoolean()).isTrue();
    assertThat(request.get("caller").asText()).isEqualTo("user eve");
    assertThat(request.get("steps").findValuesAsText("expression"))
        .containsExactly("request.auth.uid == note", "request.auth.uid", "request.auth", "note");
    assertThat(request.at("/steps/0/value").asText()).isEqualTo("false");
    assertThat(answer.toString())
        .doesNotContain(token, part("{\"sub\":\"eve\"}"), "c2VjcmV0", "api-key");
  }

  @Test
  void onlyTheLatestThousandAreRemembered() throws Exception {
    inspect("requests");
    for (int i = 0; i < 1_050; i++) {
      send("GET", ROOT + "/notes/n" + i, "owner", "");
    }
    JsonNode requests = inspect("requests").get("requests");
    assertThat(requests).hasSize(1_000);
    assertThat(requests.get(999).get("path").asText()).isEqualTo("notes/n1049");
  }

  @Test
  void openTransactionsAreToldWithTheDocumentsThatTheyHoldStill() throws Exception {
    assertThat(inspect("activity").get("transactions")).isEmpty();
    String begun = send("POST", ROOT + ":beginTransaction", "owner", "{}");
    String id = JSON.readTree(begun).get("transaction").asText();
    send(
        "POST",
        ROOT + ":batchGet",
        "owner",
        "{\"transaction\":\"" + id + "\",\"documents\":[\"" + ROOT.substring(4) + "/notes/ada\"]}");
    JsonNode transaction = inspect("activity").at("/transactions/0");
    assertThat(transaction.get("kind").asText()).isEqualTo("pessimistic");
    assertThat(transaction.at("/locks/0").asText()).isEqualTo("notes/ada");
    send("POST", ROOT + ":rollback", "owner", "{\"transaction\":\"" + id + "\"}");
    assertThat(inspect("activity").get("transactions")).isEmpty();
  }

  @Test
  void theIndexThatAQueryLacksIsTold() throws Exception {
    String query = "{\"parent\":\"" + ROOT.substring(4)
        + "\",\"structuredQuery\":{\"from\":[{\"collectionId\":\"notes\"}],"
        + "\"where\":{\"fieldFilter\":{\"field\":{\"fieldPath\":\"a\"},\"op\":\"EQUAL\",\"value\":{\"integerValue\":\"1\"}}}%s}}";
    JsonNode none = JSON.readTree(send("POST", "/inspect/index", "owner", query.formatted("")));
    assertThat(none.get("missing").asBoolean()).isFalse();
    JsonNode one = JSON.readTree(send(
        "POST",
        "/inspect/index",
        "owner",
        query.formatted(",\"orderBy\":[{\"field\":{\"fieldPath\":\"b\"}}]")));
    assertThat(one.get("missing").asBoolean()).isTrue();
    assertThat(one.get("message").asText()).contains("For firestore.indexes.json: {\"indexes\":[");
  }

  @Test
  void whoWatchesIsToldOfDocumentsRequestsAndTransactionsAsTheyChange() throws Exception {
    send("GET", ROOT + "/notes/ada", "owner", ""); // from now on there is a database
    var answer = http.send(
        HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + "/inspect/changes"))
            .header("authorization", "Bearer owner")
            .build(),
        BodyHandlers.ofInputStream());
    try (var lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("{\"changed\":[]}");
      send("GET", ROOT + "/notes/ada", "owner", "");
      assertThat(awaitTold(lines)).contains("requests").doesNotContain("data");
      send("POST", ROOT + "/notes?documentId=ada", "owner", "{}");
      assertThat(awaitTold(lines, "data")).contains("data");
      server.reset();
      assertThat(awaitTold(lines, "data")).contains("data");
      send("POST", ROOT + ":beginTransaction", "owner", "{}");
      assertThat(awaitTold(lines, "activity")).contains("activity");
    }
  }

  @Test
  void webPagesOfOthersAreNotTold() throws Exception {
    var answer = http.send(
        HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + "/inspect/changes"))
            .header("origin", "http://evil.example")
            .build(),
        BodyHandlers.ofInputStream());
    answer.body().close();
    assertThat(answer.statusCode()).isEqualTo(403);
  }

  private static String awaitTold(BufferedReader lines, String... wanted) throws Exception {
    String line = lines.readLine();
    while (line.equals("{\"changed\":[]}")
        || !java.util.stream.Stream.of(wanted).allMatch(line::contains)) {
      line = lines.readLine();
    }
    return line;
  }

  private JsonNode inspect(String what) throws Exception {
    return JSON.readTree(send("GET", "/inspect/" + what, "owner", ""));
  }

  private static String part(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  private String send(String method, String path, String token, String body) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + path))
                .header("authorization", "Bearer " + token)
                .method(
                    method,
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString())
        .body();
  }
}
