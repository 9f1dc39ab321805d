package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.firestore.v1.Document;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The functions emulator of Firebase's tools registers its functions and is called. What it sends, and what it expects, was
 * recorded between firebase-tools 15.34 and the official emulator of Google Cloud's SDK 528.
 */
@Timeout(180)
class FunctionsEmulatorTest {
  private static final String FIRST = "/emulator/v1/projects/demo-x/triggers/us-central1-one-0";
  private static final String SECOND =
      "/emulator/v1/projects/demo-x/eventarcTrigger?eventarcTriggerId=us-central1-two-0";

  /** A request that arrived at the functions emulator. */
  private record Call(String path, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return Objects.requireNonNull(headers.get(name), name + " in " + headers).get(0);
    }
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger status = new AtomicInteger(200);
  private HttpServer functions;
  private FirestoreServer server;
  private Firestore client;

  @BeforeEach
  void start() throws Exception {
    functions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    functions.createContext("/", exchange -> {
      calls.add(new Call(
          exchange.getRequestURI().toString(),
          Map.copyOf(exchange.getRequestHeaders()),
          new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      exchange.sendResponseHeaders(status.get(), -1);
      exchange.close();
    });
    functions.start();
    server = FirestoreServer.builder()
        .functionsEmulator(
            URI.create("http://127.0.0.1:" + functions.getAddress().getPort()))
        .start();
    client = client("(default)");
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
    functions.stop(0);
  }

  private Firestore client(String database) {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo-x")
        .setDatabaseId(database)
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
  }

  private HttpResponse<String> register(String method, String path, String body) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  private void registerFirst(String kind) throws Exception {
    HttpResponse<String> answer = register(
        "PUT",
        FIRST,
        "{\"eventTrigger\":{\"resource\":\"projects/demo-x/databases/(default)/documents/orders/{id}\","
            + "\"eventType\":\"providers/cloud.firestore/eventTypes/document." + kind
            + "\",\"service\":\"firestore.googleapis.com\"}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private HttpResponse<String> registerSecond(String type, String database, String document)
      throws Exception {
    return register(
        "POST",
        SECOND,
        "{\"eventType\":\"google.cloud.firestore.document.v1." + type + "\",\"database\":\""
            + database + "\",\"namespace\":\"(default)\",\"document\":{\"value\":\"" + document
            + "\",\"matchType\":\"PATH_PATTERN\"}}");
  }

  private void write(Firestore to, String path, int total) throws Exception {
    to.document(path).set(Map.of("total", total)).get();
  }

  private void settle() throws Exception {
    assertThat(server.awaitTriggers(Duration.ofSeconds(90))).isTrue();
  }

  @Test
  void aFunctionOfTheFirstGenerationIsGivenTheDocumentsAsJson() throws Exception {
    registerFirst("write");
    write(client, "orders/7", 10);
    write(client, "orders/7", 11);
    client.document("orders/7").delete().get();
    settle();
    assertThat(calls)
        .extracting(Call::path)
        .hasSize(3)
        .containsOnly("/functions/projects/demo-x/triggers/us-central1-one-0");
    JsonObject event = JsonParser.parseString(calls.get(1).body()).getAsJsonObject();
    assertThat(calls.get(1).header("Content-type")).isEqualTo("application/json");
    JsonObject data = event.getAsJsonObject("data");
    assertThat(data.keySet()).containsExactlyInAnyOrder("value", "oldValue", "updateMask");
    assertThat(total(data.getAsJsonObject("oldValue"))).isEqualTo("10");
    assertThat(total(data.getAsJsonObject("value"))).isEqualTo("11");
    JsonObject context = event.getAsJsonObject("context");
    assertThat(context.keySet())
        .containsExactlyInAnyOrder("eventId", "timestamp", "eventType", "resource");
    assertThat(context.get("eventType").getAsString())
        .isEqualTo("providers/cloud.firestore/eventTypes/document.write");
    assertThat(context.getAsJsonObject("resource").get("name").getAsString())
        .isEqualTo("projects/demo-x/databases/(default)/documents/orders/7");
    JsonObject deleted =
        JsonParser.parseString(calls.get(2).body()).getAsJsonObject().getAsJsonObject("data");
    assertThat(deleted.keySet()).containsExactlyInAnyOrder("oldValue", "updateMask");
  }

  private static String total(JsonObject document) {
    return document
        .getAsJsonObject("fields")
        .getAsJsonObject("total")
        .get("integerValue")
        .getAsString();
  }

  @Test
  void aFunctionOfTheSecondGenerationIsGivenACloudEventInBase64() throws Exception {
    assertThat(registerSecond("created.withAuthContext", "(default)", "orders/{id}")
            .body())
        .contains("PATH_PATTERN");
    write(client, "orders/7", 10);
    write(client, "orders/7", 11); // not created
    settle();
    assertThat(calls).hasSize(1);
    Call call = calls.get(0);
    assertThat(call.path()).isEqualTo("/functions/projects/demo-x/triggers/us-central1-two-0");
    Map<String, String> expected = Map.of(
        "Ce-specversion", "1.0",
        "Ce-type", "google.cloud.firestore.document.v1.created.withAuthContext",
        "Ce-subject", "documents/orders/7",
        "Ce-datacontenttype", "application/protobuf",
        "Ce-location", "us-central1",
        "Ce-authtype", "unknown",
        "Ce-database", "(default)",
        "Ce-document", "orders/7",
        "Content-type", "application/protobuf");
    expected.forEach((name, value) -> assertThat(call.header(name)).isEqualTo(value));
    UnknownFieldSet data = UnknownFieldSet.parseFrom(Base64.getDecoder().decode(call.body()));
    Document value =
        Document.parseFrom(data.getField(1).getLengthDelimitedList().get(0));
    assertThat(value.getFieldsOrThrow("total").getIntegerValue()).isEqualTo(10);
  }

  @Test
  void aFunctionIsToldOfItsDatabaseOnly() throws Exception {
    assertThat(registerSecond("written", "second", "orders/{id}").statusCode()).isEqualTo(200);
    write(client, "orders/first", 1);
    try (Firestore second = client("second")) {
      write(second, "orders/second", 2);
    }
    settle();
    assertThat(calls)
        .extracting(call -> call.header("Ce-document"))
        .containsExactly("orders/second");
  }

  @Test
  void aFunctionThatFailsIsNotRunAgain() throws Exception {
    registerFirst("write");
    status.set(500);
    write(client, "orders/7", 10);
    settle();
    assertThat(calls).hasSize(1);
  }

  @Test
  void aFunctionThatIsGoneIsNotCalledAnyMore() throws Exception {
    registerFirst("write");
    status.set(404); // its source has changed, and it has another key since
    write(client, "orders/7", 10);
    settle();
    write(client, "orders/7", 11);
    settle();
    assertThat(calls).hasSize(1);
  }

  @Test
  void theSameKeyReplacesWhatItStoodFor() throws Exception {
    registerFirst("write");
    registerFirst("delete");
    write(client, "orders/7", 10);
    client.document("orders/7").delete().get();
    settle();
    assertThat(calls).hasSize(1);
  }

  @Test
  void whatCannotBeRegisteredIsRefusedWithWords() throws Exception {
    assertThat(register("PUT", FIRST, "{}").body()).contains("lacks").contains("INVALID_ARGUMENT");
    assertThat(registerSecond("renamed", "(default)", "orders/{id}").body())
        .contains("no events of type");
    assertThat(registerSecond("written", "(default)", "orders").body()).contains("collection");
    assertThat(
            register("POST", SECOND.replace("us-central1-two-0", "a%2Fb"), """
            {"eventType":"google.cloud.firestore.document.v1.written","database":"(default)",
             "document":{"value":"a/{b}"}}""").body())
        .contains("key of a function");
    assertThat(register("PUT", FIRST, "no json").statusCode()).isEqualTo(400);
    assertThatThrownBy(() -> FirestoreServer.builder().functionsEmulator(URI.create("localhost:1")))
        .hasMessageContaining("http://127.0.0.1:5001");
  }

  @Test
  void aServerThatKnowsNoFunctionsEmulatorSaysSo() throws Exception {
    server.close();
    server = FirestoreServer.builder().start();
    assertThat(registerSecond("written", "(default)", "orders/{id}").body())
        .contains("--functions HOST:PORT");
  }
}
