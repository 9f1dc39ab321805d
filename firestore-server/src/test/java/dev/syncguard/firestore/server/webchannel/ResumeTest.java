package dev.syncguard.firestore.server.webchannel;

import static dev.syncguard.firestore.server.webchannel.ChannelClient.DATABASE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.webchannel.ChannelClient.Array;
import dev.syncguard.firestore.server.webchannel.ChannelClient.Poll;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener that comes back is told, and when it can do with the names of what is left. */
@Timeout(120)
class ResumeTest {
  private static final String ALL = "{\"from\":[{\"collectionId\":\"c\"}]}";
  private static final String FIRST = "{\"from\":[{\"collectionId\":\"c\"}],\"limit\":3}";

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private FirestoreServer server;
  private Firestore firestore;

  @BeforeEach
  void start() throws Exception {
    server =
        FirestoreServer.builder().time(() -> Instant.now().plus(ahead.get())).start();
    firestore = FirestoreOptions.newBuilder()
        .setProjectId("p")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
    for (String id : List.of("a", "b", "gone", "kept")) {
      firestore.document("c/" + id).set(Map.of("n", 1)).get();
    }
  }

  @AfterEach
  void stop() throws Exception {
    firestore.close();
    server.close();
  }

  private void change() throws Exception {
    firestore.document("c/b").set(Map.of("n", 2)).get();
    firestore.document("c/new").set(Map.of("n", 1)).get();
    firestore.document("c/gone").delete().get();
  }

  @Test
  void whoAsksForNamesGetsThem() throws Exception {
    String token = token(ALL);
    change();
    assertThat(told(ALL, ",\"expectedCount\":4,\"resumeToken\":\"" + token + "\""))
        .containsExactly(
            "ADD", "delete gone", "change b", "change new", "filter 4 with names", "CURRENT", "");
    assertThat(told(ALL, ",\"resumeToken\":\"" + token + "\"")).contains("filter 4");
  }

  @Test
  void afterTooLongATimeChangesAndNamesAreEnough() throws Exception {
    String token = token(ALL);
    change();
    ahead.set(Duration.ofHours(2));
    assertThat(told(ALL, ",\"expectedCount\":4,\"resumeToken\":\"" + token + "\""))
        .containsExactly("ADD", "change b", "change new", "filter 4 with names", "CURRENT", "");
  }

  @Test
  void afterTooLongATimeOthersStartAnew() throws Exception {
    String token = token(ALL);
    String limited = token(FIRST);
    change();
    ahead.set(Duration.ofHours(2));
    // It cannot use names; or what it sees depends on more than what is in a document.
    assertThat(told(ALL, ",\"resumeToken\":\"" + token + "\"")).contains("RESET", "change a");
    assertThat(told(FIRST, ",\"expectedCount\":3,\"resumeToken\":\"" + limited + "\""))
        .contains("RESET", "change a");
  }

  @Test
  void aTokenOfAnotherRunOfTheServerStartsAnew() throws Exception {
    String token = token(ALL);
    String asked = ",\"expectedCount\":4,\"resumeToken\":\"" + token + "\"";
    int port = server.port();
    stop();
    ahead.set(Duration.ofHours(2));
    server = FirestoreServer.builder()
        .port(port)
        .time(() -> Instant.now().plus(ahead.get()))
        .start();
    firestore = FirestoreOptions.newBuilder()
        .setProjectId("p")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
    firestore.document("c/a").set(Map.of("n", 1)).get();
    assertThat(told(ALL, asked))
        .contains("RESET", "change a")
        .doesNotContain("filter 1 with names");
  }

  private String token(String query) throws Exception {
    try (Poll poll = open(query, "")) {
      while (true) {
        for (Array array : poll.next(1)) {
          JsonNode change = array.content().get(0).path("targetChange");
          if (change.has("resumeToken") && !change.has("targetIds")) {
            return change.get("resumeToken").asText();
          }
        }
      }
    }
  }

  private List<String> told(String query, String resume) throws Exception {
    List<String> told = new ArrayList<>();
    try (Poll poll = open(query, resume)) {
      while (!told.contains("")) {
        poll.next(1).forEach(array -> told.add(what(array)));
      }
    }
    return told;
  }

  private Poll open(String query, String resume) throws Exception {
    return new ChannelClient(server.emulatorHost(), "Listen")
        .open("{\"database\":\"" + DATABASE
            + "\",\"addTarget\":{\"targetId\":2,\"query\":{\"parent\":\"" + DATABASE
            + "/documents\",\"structuredQuery\":" + query + "}" + resume + "}}")
        .poll(0, false);
  }

  private static String what(Array array) {
    JsonNode message = array.content().get(0);
    if (message.has("documentChange")) {
      return "change " + message.findValue("name").asText().replaceAll(".*/", "");
    }
    if (message.has("documentDelete")) {
      return "delete " + message.findValue("document").asText().replaceAll(".*/", "");
    }
    if (message.has("filter")) {
      JsonNode filter = message.get("filter");
      return "filter " + filter.get("count").asInt()
          + (filter.has("unchangedNames") ? " with names" : "");
    }
    return message.path("targetChange").path("targetChangeType").asText();
  }
}
