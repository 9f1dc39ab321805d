package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What single clients rely on. In bodies, apostrophes stand for quotes and {@code @} for the name of the root. */
class ClientDetailsTest {
  private static final String NAME = "projects/p/databases/(default)/documents";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private FirestoreServer server;

  private record Answer(int status, JsonNode body) {
    String error() {
      return body.path("error").path("status").asText();
    }

    String message() {
      return body.path("error").path("message").asText();
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = FirestoreServer.builder().start();
    for (String id : List.of("a", "b", "d")) {
      send("PATCH", "/v1/" + NAME + "/c/" + id, "{'fields':{'n':{'integerValue':'1'}}}");
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aCommitMayOnlyVerify() throws Exception {
    String name = NAME + "/c/d";
    JsonNode document = send("GET", "/v1/" + name, "").body();
    String verify = "{'verify':'@/c/d','currentDocument':{'updateTime':'"
        + document.path("updateTime").asText() + "'}}";
    String update = "{'update':{'name':'@/c/other','fields':{'x':{'doubleValue':0.1}}}}";
    assertThat(commit(verify, update).status()).isEqualTo(200);
    send("PATCH", "/v1/" + name, "{'fields':{'n':{'integerValue':'2'}}}");
    assertThat(commit(verify, update).error()).isEqualTo("FAILED_PRECONDITION");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'verify':'@/c/d'} | a verify must contain a precondition",
        "{'verify':'@/c/d','currentDocument':{'exists':true},'updateMask':{}} | a verify must not specify a document mask.",
        "{'verify':'@/c/d','currentDocument':{'exists':true}},{'delete':'@/c/d'} | the same document cannot be verified and then written in a single request",
        "{'delete':'@/c/d'},{'verify':'@/c/d','currentDocument':{'exists':true}} | the same document cannot be written and then verified in a single request",
        "{'verify':'@/c/d','currentDocument':{'exists':true}},{'verify':'@/c/d','currentDocument':{'exists':true}} | the same document cannot be verified more than once in a single request",
        "{'delete':'@/c/d'},{'update':{'name':'@/c/d'},'currentDocument':{'exists':true}} | A document that a request deletes cannot be updated",
        "{'update':{'name':'@/c/d','fields':{'v':{'mapValue':{'fields':{'__type__':{'stringValue':'__vector__'}}}}}}} | Vector map is missing key 'value'.",
        "{'update':{'name':'@/c/d','fields':{'v':{'mapValue':{'fields':{'__type__':{'stringValue':'__vector__'},'value':{'arrayValue':{}}}}}}}} | Cannot have a zero length vector.",
        "{'update':{'name':'@/c/d','fields':{'v':{'mapValue':{'fields':{'__type__':{'stringValue':'__vector__'},'value':{'arrayValue':{'values':[{'integerValue':'1'}]}}}}}}}} | Vector must only contain values of type 'double'",
        "{'update':{'name':'@/c/d','fields':{'v':{'mapValue':{'fields':{'__type__':{'stringValue':'__vector__'},'value':{'arrayValue':{'values':[{'doubleValue':'NaN'}]}}}}}}}} | Vector cannot contain NaN values."
      })
  void invalidWritesAreRefusedInTheWordsOfTheEmulator(String writes, String message)
      throws Exception {
    Answer answer = commit(writes);
    assertThat(answer.error()).as(answer.toString()).isEqualTo("INVALID_ARGUMENT");
    assertThat(answer.message()).startsWith(message);
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void pathsOfAMaskMayOverlap() throws Exception {
    String update = "{'update':{'name':'@/c/d','fields':{'owner':{'mapValue':{'fields':{"
        + "'name':{'stringValue':'x'}}}}}},'updateMask':{'fieldPaths':['owner.name','owner']}}";
    assertThat(commit(update).status()).isEqualTo(200);
    JsonNode fields = send(
            "GET", "/v1/" + NAME + "/c/d?mask.fieldPaths=owner.name&mask.fieldPaths=owner", "")
        .body()
        .path("fields");
    assertThat(fields.at("/owner/mapValue/fields/name/stringValue").asText()).isEqualTo("x");
  }

  @Test
  void onlyTheLastMessageOfAQuerySaysThatItIsDone() throws Exception {
    assertThat(dones("{'from':[{'collectionId':'c'}]}")).containsExactly(false, false, true);
    assertThat(dones("{'from':[{'collectionId':'none'}]}")).containsExactly(true);
    assertThat(dones("{'from':[{'collectionId':'c'}],'offset':9}")).containsExactly(true);
  }

  @Test
  void theProfileOfAQueryComesWithItsLastMessage() throws Exception {
    JsonNode messages = send(
            "POST",
            "/v1/" + NAME + ":runQuery",
            "{'structuredQuery':{'from':[{'collectionId':'c'}]},'explainOptions':{'analyze':true}}")
        .body();
    assertThat(messages).hasSize(3);
    assertThat(messages.path(1).has("explainMetrics")).isFalse();
    assertThat(messages.path(2).has("document")).isTrue();
    assertThat(messages.at("/2/explainMetrics/executionStats/resultsReturned").asText())
        .isEqualTo("3");
  }

  @Test
  void theOlderNameOfTheInterfaceWorks() throws Exception {
    assertThat(send("GET", "/v1beta1/" + NAME + "/c/d?key=x&alt=json", "").status())
        .isEqualTo(200);
  }

  @Test
  void aPathThatEndsWithASlashListsAllCollectionsBelow() throws Exception {
    send("PATCH", "/v1/" + NAME + "/B/x", "{}");
    send("PATCH", "/v1/" + NAME + "/c/d/below/y", "{}");
    assertThat(names("/v1/" + NAME + "/")).containsExactly("B/x", "c/a", "c/b", "c/d");
    assertThat(names("/v1/" + NAME + "/c/d/")).containsExactly("c/d/below/y");
    Answer collection = send("GET", "/v1/" + NAME + "/c/", "");
    assertThat(collection.status()).isEqualTo(400);
    assertThat(collection.message()).endsWith("/c/\" has invalid trailing \"/\".");
  }

  @Test
  void aBatchWithAnInvalidWriteIsRefusedAsAWhole() throws Exception {
    Answer answer = send(
        "POST",
        "/v1/" + NAME + ":batchWrite",
        "{'writes':[{'delete':'@/c/a'},{'update':{'name':'@/c/b','fields':{'__x__':{'nullValue':null}}}}]}");
    assertThat(answer.error()).isEqualTo("INVALID_ARGUMENT");
    assertThat(send("GET", "/v1/" + NAME + "/c/a", "").status()).isEqualTo(200);
  }

  private List<Boolean> dones(String query) throws Exception {
    List<Boolean> dones = new ArrayList<>();
    send("POST", "/v1/" + NAME + ":runQuery", "{'structuredQuery':" + query + "}")
        .body()
        .forEach(message -> dones.add(message.path("done").asBoolean()));
    return dones;
  }

  private List<String> names(String path) throws Exception {
    List<String> names = new ArrayList<>();
    send("GET", path, "")
        .body()
        .path("documents")
        .forEach(
            document -> names.add(document.path("name").asText().substring(NAME.length() + 1)));
    return names;
  }

  private Answer commit(String... writes) throws Exception {
    return send("POST", "/v1/" + NAME + ":commit", "{'writes':[" + String.join(",", writes) + "]}");
  }

  private Answer send(String method, String path, String body) throws Exception {
    HttpResponse<String> response = client.send(
        HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + path))
            .header("Authorization", "Bearer owner")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"').replace("@", NAME)))
            .build(),
        BodyHandlers.ofString());
    return new Answer(response.statusCode(), JSON.readTree(response.body()));
  }
}
