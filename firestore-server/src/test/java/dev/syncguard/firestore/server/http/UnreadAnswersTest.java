package dev.syncguard.firestore.server.http;

import static dev.syncguard.firestore.server.http.SmallHeapServer.DATABASE;
import static dev.syncguard.firestore.server.http.SmallHeapServer.ROOT;
import static dev.syncguard.firestore.server.http.SmallHeapServer.get;
import static dev.syncguard.firestore.server.http.SmallHeapServer.post;
import static dev.syncguard.firestore.server.http.SmallHeapServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.QueryTarget;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.webchannel.ChannelClient;
import io.grpc.Status;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Answers that are together many times the heap, and that nobody takes, do not fill it. */
@Tag("slow")
@Timeout(240)
class UnreadAnswersTest {
  private static final int DOCUMENTS = 160;
  private static final int DOCUMENT_BYTES = 50_000;
  /** So many answers of all documents are several times the heap. */
  private static final int READERS = 24;

  @RegisterExtension
  static final SmallHeapServer SERVER = new SmallHeapServer();

  private final List<Socket> sockets = new ArrayList<>();

  @BeforeAll
  static void fill() {
    for (int i = 0; i < DOCUMENTS; i++) {
      SERVER.commit("large/" + i, DOCUMENT_BYTES);
    }
  }

  @AfterEach
  void leave() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void queries() throws Exception {
    List<SlowReader<RunQueryRequest, RunQueryResponse>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(new SlowReader<>(SERVER.channel(), FirestoreGrpc.getRunQueryMethod(), all()));
    }
    for (var reader : readers) {
      reader.first.get(60, TimeUnit.SECONDS);
    }
    SERVER.commit("meanwhile/others", 1);
    // Whoever begins to read after all gets everything.
    var patient = readers.get(0);
    patient.readOn();
    assertThat(patient.end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
    assertThat(patient.count).hasValue(DOCUMENTS);
    readers.forEach(SlowReader::cancel);
  }

  @Test
  void listenersThatDoNotListen() throws Exception {
    List<SlowReader<ListenRequest, ListenResponse>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(new SlowReader<>(SERVER.channel(), FirestoreGrpc.getListenMethod(), listen()));
    }
    for (var reader : readers) {
      reader.first.get(60, TimeUnit.SECONDS);
    }
    for (int i = 0; i < 250; i++) {
      SERVER.commit("large/" + i % DOCUMENTS, DOCUMENT_BYTES + 1 + i / DOCUMENTS);
    }
    // Too much has been missed: the listener is told to come again.
    var slow = readers.get(0);
    slow.readOn();
    assertThat(slow.end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    readers.forEach(SlowReader::cancel);
  }

  @Test
  void webPagesThatDoNotListen() throws Exception {
    String target = "{\"database\":\"" + DATABASE
        + "\",\"addTarget\":{\"targetId\":2,\"query\":{\"parent\":\"" + ROOT
        + "\",\"structuredQuery\":{\"from\":[{\"collectionId\":\"large\"}]}}}}";
    List<ChannelClient.Poll> unread = new ArrayList<>();
    for (int i = 0; i < 2 * READERS; i++) {
      ChannelClient page = new ChannelClient(SERVER.host(), "Listen").open(target);
      if (i % 2 == 0) { // the others do not even ask
        unread.add(page.poll(0, false));
      }
    }
    SERVER.commit("meanwhile/others", 1);
    ChannelClient patient = new ChannelClient(SERVER.host(), "Listen").open(target);
    long last = 0;
    int documents = 0;
    while (documents < DOCUMENTS) {
      try (ChannelClient.Poll poll = patient.poll(last, true)) {
        for (ChannelClient.Array array : poll.rest()) {
          assertThat(array.id()).isGreaterThan(last);
          last = array.id();
          documents += array.content().get(0).has("documentChange") ? 1 : 0;
        }
      }
    }
    for (ChannelClient.Poll poll : unread) {
      poll.close();
    }
  }

  @Test
  void queriesOverRest() throws Exception {
    String query = "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"large\"}]}}";
    send(READERS, post(":runQuery", query));
    for (Socket socket : sockets) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');
    }
    SERVER.commit("meanwhile/others", 1);
  }

  @Test
  void manyListsAtOnceThatAreRead() throws Exception {
    HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    URI lists = URI.create("http://" + SERVER.host() + "/v1/"
        + ROOT.replace("(", "%28").replace(")", "%29") + "/large");
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (int i = 0; i < 2 * READERS; i++) {
      HttpRequest request =
          HttpRequest.newBuilder(lists).timeout(Duration.ofMinutes(2)).build();
      answers.add(http.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    int complete = 0;
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      HttpResponse<byte[]> list = answer.get(120, TimeUnit.SECONDS);
      assertThat(list.statusCode()).isIn(200, 503);
      if (list.statusCode() == 200) {
        assertThat(list.body().length).as("a page of megabytes").isGreaterThan(4 << 20);
        assertThat(list.body()).endsWith((byte) '}', (byte) '\n');
        complete++;
      }
    }
    assertThat(complete).isPositive();
  }

  @Test
  void largeDocuments() throws Exception {
    SERVER.commit("huge/one", 1_000_000);
    send(200, get("/huge/one"));
    isAnsweredOrRefused();
  }

  @Test
  void documentsWhoseTextIsMuchLongerThanTheyAre() throws Exception {
    Value many = Values.array(Collections.nCopies(250_000, Values.of(true)).toArray(Value[]::new));
    SERVER.commit("wordy/one", Map.of("many", many));
    send(READERS, get("/wordy/one"));
    send(READERS, get("/wordy"));
    send(
        READERS,
        post(":runQuery", "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"wordy\"}]}}"));
    isAnsweredOrRefused();
  }

  private void send(int times, String request) throws IOException {
    for (int i = 0; i < times; i++) {
      sockets.add(SERVER.send(request));
    }
  }

  /** How many are refused depends on what the system buffers; that the server lives does not. */
  private void isAnsweredOrRefused() throws IOException {
    for (Socket socket : sockets) {
      assertThat(status(socket)).isIn("HTTP/1.1 200", "HTTP/1.1 503");
    }
  }

  private static RunQueryRequest all() {
    return RunQueryRequest.newBuilder()
        .setParent(ROOT)
        .setStructuredQuery(large())
        .build();
  }

  private static ListenRequest listen() {
    return ListenRequest.newBuilder()
        .setDatabase(DATABASE)
        .setAddTarget(Target.newBuilder()
            .setTargetId(1)
            .setQuery(QueryTarget.newBuilder().setParent(ROOT).setStructuredQuery(large())))
        .build();
  }

  private static StructuredQuery large() {
    return StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId("large"))
        .build();
  }
}
