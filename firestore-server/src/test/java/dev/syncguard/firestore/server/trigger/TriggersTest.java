package dev.syncguard.firestore.server.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.firestore.v1.DeleteDocumentRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.trigger.DocumentEvent.Kind;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever asked is told what happens to documents. */
@Timeout(180)
class TriggersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Does something to a server that has triggers. */
  private interface Story {
    void tell(Firestore client, FirestoreServer server) throws Exception;
  }

  private static void play(FirestoreServerBuilder builder, Story story) throws Exception {
    try (FirestoreServer server = builder.start();
        Firestore client = FirestoreOptions.newBuilder()
            .setProjectId("p")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      story.tell(client, server);
    }
  }

  @Test
  void aListenerIsToldWhatHappenedToTheDocumentsOfItsPath() throws Exception {
    List<DocumentEvent> events = new CopyOnWriteArrayList<>();
    List<DocumentEvent> deletions = new CopyOnWriteArrayList<>();
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .onDocumentWritten("orders/{id}", events::add)
        .onDocument(Kind.DELETED, "{all=**}", deletions::add);
    play(builder, (client, server) -> {
      client.document("orders/7").set(Map.of("n", 1)).get();
      client.document("orders/7").set(Map.of("n", 2)).get();
      client.document("orders/7").set(Map.of("n", 2)).get(); // changes nothing
      client.document("orders/7/items/1").set(Map.of()).get();
      client.document("other/7").set(Map.of()).get();
      client.document("orders/7").delete().get();
      client.document("orders/7/items/1").delete().get();
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    });
    assertThat(events)
        .extracting(DocumentEvent::kind)
        .containsExactly(Kind.CREATED, Kind.UPDATED, Kind.DELETED);
    assertThat(events)
        .allSatisfy(event -> assertThat(event.parameters()).isEqualTo(Map.of("id", "7")));
    assertThat(events).extracting(DocumentEvent::id).doesNotHaveDuplicates();
    assertThat(n(events.get(1).before())).isEqualTo(1);
    assertThat(n(events.get(1).after())).isEqualTo(2);
    assertThat(deletions)
        .extracting(event -> event.parameters().get("all"))
        .containsExactly("orders/7", "orders/7/items/1");
  }

  private static long n(Optional<Document> document) {
    return document.orElseThrow().getFieldsOrThrow("n").getIntegerValue();
  }

  @Test
  void anEventIsToldAgainUntilItIsHandledAndThoseAfterItWait() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    AtomicInteger failures = new AtomicInteger(3);
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .onDocumentWritten("c/{id}", event -> {
          told.add(event.parameters().get("id") + " " + event.id());
          if (failures.getAndDecrement() > 0) {
            throw new IOException("not yet");
          }
        });
    play(builder, (client, server) -> {
      client.document("c/1").set(Map.of()).get();
      client.document("c/2").set(Map.of()).get();
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    });
    assertThat(told).hasSize(5);
    assertThat(told.subList(0, 4)).as("the same id each time").containsOnly(told.get(0));
    assertThat(told.get(4)).startsWith("2 ");
  }

  @Test
  void anErrorIsAFailureLikeAnyOther() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .onDocumentWritten("c/{id}", event -> {
          told.add(event.parameters().get("id") + " " + event.id());
          if (told.size() == 1) {
            throw new AssertionError("expected something else");
          }
        });
    play(builder, (client, server) -> {
      client.document("c/1").set(Map.of()).get();
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    });
    assertThat(told).hasSize(2).containsOnly(told.get(0));
  }

  @Test
  void theEventsOfOneCommitHaveDifferentIds() throws Exception {
    List<String> ids = new CopyOnWriteArrayList<>();
    FirestoreServerBuilder builder =
        FirestoreServer.builder().onDocumentWritten("c/{id}", event -> ids.add(event.id()));
    play(builder, (client, server) -> {
      var batch = client.batch();
      for (int i = 0; i < 20; i++) {
        batch.set(client.document("c/" + i), Map.of());
      }
      batch.commit().get();
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    });
    assertThat(ids).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void emptyDatabasesMakeRoomAlsoIfTriggersAreToldOfThem() throws Exception {
    AtomicInteger told = new AtomicInteger();
    FirestoreServerBuilder builder =
        FirestoreServer.builder().onDocumentWritten("c/{id}", event -> told.incrementAndGet());
    int databases = 1_100;
    try (FirestoreServer server = builder.start()) {
      ManagedChannel channel =
          NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
      try {
        FirestoreGrpc.FirestoreBlockingStub client = FirestoreGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner()));
        for (int i = 0; i < databases; i++) {
          String name = "projects/p" + i + "/databases/(default)/documents/c/1";
          client.updateDocument(UpdateDocumentRequest.newBuilder()
              .setDocument(Document.newBuilder().setName(name))
              .build());
          client.deleteDocument(DeleteDocumentRequest.newBuilder().setName(name).build());
        }
      } finally {
        channel.shutdownNow();
      }
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    }
    assertThat(told).hasValue(2 * databases);
  }

  private static Metadata owner() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    return headers;
  }

  @Test
  void anEventThatIsNeverHandledIsGivenUpSoThatTheNextIsTold() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    Trigger trigger = new Trigger(Kind.WRITTEN, PathPattern.of("c/{id}"), event -> {
      told.add(Objects.requireNonNull(event.parameters().get("id")));
      if (event.parameters().containsValue("bad")) {
        throw new IOException("never");
      }
    });
    var threads = java.util.concurrent.Executors.newScheduledThreadPool(1);
    try {
      TriggerQueue queue = new TriggerQueue(
          trigger,
          threads,
          new TriggerQueue.Limits(3, Duration.ofNanos(1), Duration.ofNanos(1), 2));
      var blocked = new java.util.concurrent.CountDownLatch(1);
      threads.execute(() -> awaitUninterruptibly(blocked));
      queue.add(event("bad"));
      queue.add(event("good"));
      queue.add(event("too many"));
      blocked.countDown();
      dev.syncguard.firestore.server.Patience.until("it is idle", queue::isIdle);
    } finally {
      threads.shutdownNow();
    }
    assertThat(told).containsExactly("bad", "bad", "bad", "good");
  }

  private static void awaitUninterruptibly(java.util.concurrent.CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DocumentEvent event(String id) {
    return new DocumentEvent(
        id,
        java.time.Instant.EPOCH,
        dev.syncguard.firestore.server.name.DocumentName.parse(
            "projects/p/databases/(default)/documents/c/" + id),
        Map.of("id", id),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void importsAndResetsAreNoEvents(@TempDir Path directory) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        Firestore client = FirestoreOptions.newBuilder()
            .setProjectId("p")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      client.document("c/seed").set(Map.of()).get();
      server.exportTo(directory, "p");
    }
    List<String> told = new CopyOnWriteArrayList<>();
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .importFrom(directory)
        .onDocumentWritten(
            "c/{id}", event -> told.add(event.kind() + " " + event.name().id()));
    play(builder, (client, server) -> {
      client.document("c/mine").set(Map.of()).get();
      server.reset();
      client.document("c/seed").delete().get();
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    });
    assertThat(told).containsExactly("CREATED mine", "DELETED seed");
  }

  /** A request that arrived at the webhook. */
  private record Arrived(Map<String, List<String>> headers, com.google.protobuf.ByteString body) {
    String header(String name) {
      return Objects.requireNonNull(headers.get(name), name + " in " + headers).get(0);
    }
  }

  private static Arrived received(Webhook.Mode mode) throws Exception {
    return received(mode, "7");
  }

  private static Arrived received(Webhook.Mode mode, String id) throws Exception {
    List<Arrived> arrived = new CopyOnWriteArrayList<>();
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", exchange -> {
      arrived.add(new Arrived(
          Map.copyOf(exchange.getRequestHeaders()),
          com.google.protobuf.ByteString.readFrom(exchange.getRequestBody())));
      // The first time it fails, and the event must come again.
      exchange.sendResponseHeaders(arrived.size() == 1 ? 500 : 204, -1);
      exchange.close();
    });
    receiver.start();
    try {
      URI address = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
      FirestoreServerBuilder builder = FirestoreServer.builder()
          .onDocumentWritten("orders/{id}", Webhook.local(address, Kind.WRITTEN, mode));
      play(builder, (client, server) -> {
        client.document("orders/" + id).set(Map.of("n", 1)).get();
        assertThat(server.awaitTriggers(PATIENCE)).isTrue();
      });
    } finally {
      receiver.stop(0);
    }
    assertThat(arrived).hasSize(2);
    assertThat(arrived.get(1).body()).isEqualTo(arrived.get(0).body());
    return arrived.get(1);
  }

  @Test
  void aWebhookIsSentABinaryCloudEventAsEventarcSendsIt() throws Exception {
    Arrived event = received(Webhook.Mode.BINARY);
    assertThat(event.header("Ce-specversion")).isEqualTo("1.0");
    assertThat(event.header("Ce-type")).isEqualTo("google.cloud.firestore.document.v1.written");
    assertThat(event.header("Ce-source"))
        .isEqualTo("//firestore.googleapis.com/projects/p/databases/(default)");
    assertThat(event.header("Ce-subject")).isEqualTo("documents/orders/7");
    assertThat(event.header("Ce-document")).isEqualTo("orders/7");
    assertThat(event.header("Ce-project")).isEqualTo("p");
    assertThat(event.header("Ce-database")).isEqualTo("(default)");
    assertThat(event.header("Ce-id")).isNotBlank();
    assertThat(java.time.Instant.parse(event.header("Ce-time"))).isNotNull();
    assertThat(event.header("Content-type")).isEqualTo("application/protobuf");
    UnknownFieldSet data = UnknownFieldSet.parseFrom(event.body());
    Document value =
        Document.parseFrom(data.getField(1).getLengthDelimitedList().get(0));
    assertThat(value.getName()).endsWith("/orders/7");
    assertThat(value.getFieldsOrThrow("n").getIntegerValue()).isEqualTo(1);
    assertThat(data.hasField(2)).as("there was no document before").isFalse();
  }

  @Test
  void whatAHeaderCannotCarryIsEscapedAsCloudEventsSay() throws Exception {
    Arrived event = received(Webhook.Mode.BINARY, "Z\u00fcrich 100% \u4e2d\n");
    assertThat(event.header("Ce-document")).isEqualTo("orders/Z%C3%BCrich%20100%25%20%E4%B8%AD%0A");
    assertThat(event.header("Ce-subject")).endsWith(event.header("Ce-document"));
    assertThat(Document.parseFrom(UnknownFieldSet.parseFrom(event.body())
                .getField(1)
                .getLengthDelimitedList()
                .get(0))
            .getName())
        .endsWith("/Z\u00fcrich 100% \u4e2d\n");
  }

  @Test
  void aWebhookIsSentAStructuredCloudEventIfItWantsOne() throws Exception {
    Arrived event = received(Webhook.Mode.STRUCTURED);
    assertThat(event.header("Content-type")).startsWith("application/cloudevents+json");
    JsonObject json = JsonParser.parseString(event.body().toStringUtf8()).getAsJsonObject();
    assertThat(json.get("specversion").getAsString()).isEqualTo("1.0");
    assertThat(json.get("subject").getAsString()).isEqualTo("documents/orders/7");
    assertThat(json.getAsJsonObject("data")
            .getAsJsonObject("value")
            .getAsJsonObject("fields")
            .getAsJsonObject("n")
            .get("integerValue")
            .getAsString())
        .isEqualTo("1");
  }

  @Test
  void aWebhookWhoseAnswerNeverEndsHasNotHandledTheEvent() throws Exception {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", exchange -> {
      exchange.sendResponseHeaders(200, 100);
      exchange.getResponseBody().flush(); // and nothing follows
    });
    receiver.start();
    try {
      URI address = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
      Webhook webhook =
          Webhook.local(address, Kind.WRITTEN, Webhook.Mode.BINARY).waiting(Duration.ofMillis(500));
      assertThatThrownBy(() -> webhook.handle(event("x"))).isInstanceOf(IOException.class);
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void aWebhookIsNotFollowedElsewhere() throws Exception {
    AtomicInteger elsewhere = new AtomicInteger();
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/hook", exchange -> {
      exchange.getResponseHeaders().add("Location", "/elsewhere");
      exchange.sendResponseHeaders(307, -1);
      exchange.close();
    });
    receiver.createContext("/elsewhere", exchange -> {
      elsewhere.incrementAndGet();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    receiver.start();
    try {
      URI address = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
      Webhook webhook = Webhook.local(address, Kind.WRITTEN, Webhook.Mode.BINARY);
      assertThatThrownBy(() -> webhook.handle(event("x"))).hasMessageContaining("307");
    } finally {
      receiver.stop(0);
    }
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void aWebhookOnAnotherMachineIsRefused() {
    assertThatThrownBy(() ->
            Webhook.local(URI.create("http://192.0.2.1/x"), Kind.WRITTEN, Webhook.Mode.BINARY))
        .hasMessageContaining("on this machine");
  }

  @Test
  void whatIsNoPathOfDocumentsIsRefused() {
    for (String wrong : List.of("orders", "orders/{id}/items", "a//b", "a/{x}/b/{x}", "a/{x", "")) {
      assertThatThrownBy(() -> PathPattern.of(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(PathPattern.of("a.b/{x}").match("aXb/1")).isEmpty();
  }

  @Test
  void anIdMayHaveALineBreak() {
    for (String pattern : List.of("c/{x}", "c/{x=**}", "{y}/{x=*}")) {
      assertThat(PathPattern.of(pattern).match("c/one\ntwo").orElseThrow())
          .as(pattern)
          .containsEntry("x", "one\ntwo");
    }
  }
}
