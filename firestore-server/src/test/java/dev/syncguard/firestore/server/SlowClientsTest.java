package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.grpc.StreamAnswers;
import dev.syncguard.firestore.server.http.RawClient;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is slow, on purpose or not, keeps neither others out nor anything of the server for ever. */
@Tag("slow")
@Timeout(120)
class SlowClientsTest {
  private static final String ROOT = "/v1/projects/p/databases/(default)/documents";
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final int CONNECTIONS = 60;

  private final List<RawClient> slow = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (RawClient client : slow) {
      client.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "POS",
        "POST " + ROOT + ":commit HTTP/1.1\r\nHost: loc",
        "POST " + ROOT + ":commit" + HOST + "Content-Length: 100\r\n\r\n{\"wri",
        "POST /google.firestore.v1.Firestore/Commit" + HOST
            + "Content-Type: application/grpc\r\nContent-Length: 100\r\n\r\n\0\0",
        "POST /google.firestore.v1.Firestore/Listen" + HOST
            + "Content-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void manyThatSendSlowlyDoNotKeepOthersOut(String begun) throws Exception {
    try (FirestoreServer server = small();
        RawClient regular = new RawClient(server)) {
      for (int i = 0; i < 3 * CONNECTIONS; i++) {
        slow(server, begun);
        if (i % 10 == 0) {
          assertServed(regular); // it makes progress, so it is not the one that has to go
        }
      }
      // Without shedding, those that came when the server was full would all have been refused.
      assertThat(slow.subList(CONNECTIONS, slow.size())).anyMatch(RawClient::isOpen);
      assertNewcomersAreServed(server);
    }
  }

  @Test
  void manyThatDoNotReadTheirAnswersDoNotKeepOthersOut() throws Exception {
    try (FirestoreServer server = small()) {
      fill(server);
      for (int i = 0; i < 3 * CONNECTIONS; i++) {
        slow(server, "GET " + ROOT + "/large" + HOST + "\r\n");
      }
      assertNewcomersAreServed(server);
    }
  }

  @Test
  void aBurstOfSlowOnesResetsNoNewcomer() throws Exception {
    try (FirestoreServer server = small()) {
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Thread sender = new Thread(() -> {
          for (int k = 0; k < 5 * CONNECTIONS; k++) {
            slowAtOnce(server);
          }
        });
        senders.add(sender);
        sender.start();
      }
      for (Thread sender : senders) {
        sender.join();
      }
      assertNewcomersAreServed(server);
    }
  }

  @Test
  void whereAllHaveCallsTheNewcomerIsRefusedAndNotLeftWaiting() throws Exception {
    List<ManagedChannel> channels = new ArrayList<>();
    try (FirestoreServer server = small()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        channels.add(listening(server));
      }
      try (RawClient client = new RawClient(server)) {
        assertThat(client.read()).isEqualTo(-1);
      }
      channels.get(0).shutdownNow();
      Patience.until("there is room again", () -> {
        try (RawClient client = new RawClient(server)) {
          client.send("GET " + ROOT + "/c" + HOST + "\r\n");
          return client.readUntil("}\n").startsWith("HTTP/1.1 200 ");
        } catch (IOException e) {
          return false;
        }
      });
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
    }
  }

  /** Returns a connection on which somebody listens, and has been answered. */
  private static ManagedChannel listening(FirestoreServer server) throws Exception {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    StreamAnswers<ListenResponse> answers = new StreamAnswers<>();
    FirestoreGrpc.newStub(channel)
        .listen(answers)
        .onNext(ListenRequest.newBuilder()
            .setDatabase("projects/p/databases/(default)")
            .setAddTarget(Target.newBuilder()
                .setTargetId(1)
                .setDocuments(DocumentsTarget.newBuilder()
                    .addDocuments("projects/p/databases/(default)/documents/c/d")))
            .build());
    answers.next();
    return channel;
  }

  @Test
  void listenersStayHoweverManySlowOnesCome() throws Exception {
    BlockingQueue<Long> sizes = new LinkedBlockingQueue<>();
    try (FirestoreServer server = small();
        Firestore firestore = FirestoreOptions.newBuilder()
            .setProjectId("p")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      ListenerRegistration listener = firestore
          .collection("c")
          .addSnapshotListener((all, error) -> {
            sizes.add(error == null && all != null ? all.size() : -1L);
          });
      assertThat(sizes.poll(60, TimeUnit.SECONDS)).isZero();
      for (int i = 0; i < 3 * CONNECTIONS; i++) {
        slow(server, "POST " + ROOT + ":commit HTTP/1.1\r\nHost: loc");
      }
      firestore.document("c/d").set(Map.of("a", 1)).get();
      assertThat(sizes.poll(60, TimeUnit.SECONDS)).isEqualTo(1);
      listener.remove();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ROOT + ":commit",
        "/reset",
        "/google.firestore.v1.Firestore/Commit",
        "/google.firestore.v1.Firestore/RunQuery",
        "/google.firestore.v1.Firestore/Listen",
        "/google.firestore.v1.Firestore/Write"
      })
  void aRequestThatComesAByteAtATimeIsEnded(String path) throws Exception {
    String type = path.startsWith("/google") ? "application/grpc" : "application/json";
    try (FirestoreServer server = impatient();
        RawClient client = new RawClient(server)) {
      client.send("POST " + path + HOST + "Content-Type: " + type
          + "\r\nContent-Length: 1000000\r\n\r\n" + "\0\0\1\0\0"); // a message of 64 KiB begins
      Thread sender = new Thread(() -> sendForEver(client));
      sender.start();
      // Over gRPC the web server tells nobody of a call before all of it is there.
      if (!path.startsWith("/google")) {
        assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 504 ");
      }
      client.drain();
      sender.join();
    }
  }

  @Test
  void anAnswerThatIsTakenAByteAtATimeIsEnded() throws Exception {
    try (FirestoreServer server = impatient();
        RawClient client = new RawClient(server)) {
      fill(server);
      client.send("GET " + ROOT + "/large" + HOST + "\r\n");
      int bytes = 0;
      while (client.read() >= 0 && bytes < 3_000_000) {
        bytes++;
        if (bytes < 100) {
          Thread.sleep(10); // being slow is what is tested here
        }
      }
      assertThat(bytes).isLessThan(3_000_000);
    }
  }

  private static void sendForEver(RawClient client) {
    try {
      while (true) {
        client.send("x");
        Thread.sleep(10); // being slow is what is tested here
      }
    } catch (IOException | InterruptedException e) {
      // The server does not want any more.
    }
  }

  private static FirestoreServer small() {
    return FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .maxConnections(CONNECTIONS)
        .start();
  }

  private static FirestoreServer impatient() {
    return FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .requestTimeout(Duration.ofMillis(400))
        .start();
  }

  private void slow(FirestoreServer server, String begun) throws IOException {
    RawClient client = new RawClient(server);
    slow.add(client);
    try {
      client.send(begun);
    } catch (SocketException e) {
      // It came while the slowest were still being closed, and was refused.
    }
  }

  private void slowAtOnce(FirestoreServer server) {
    try {
      RawClient client = new RawClient(server);
      synchronized (slow) {
        slow.add(client);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not even slow ones are refused: they wait, too
    }
  }

  private static void fill(FirestoreServer server) throws IOException {
    String field = "{\"fields\":{\"a\":{\"stringValue\":\"" + "x".repeat(900_000) + "\"}}}";
    try (RawClient client = new RawClient(server)) {
      for (int i = 0; i < 4; i++) {
        client.send("PATCH " + ROOT + "/large/" + i + "?mask.fieldPaths=none" + HOST
            + "Content-Length: " + field.length() + "\r\n\r\n" + field);
        assertThat(client.readUntil("}\n")).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  /** All of them, at once: a newcomer may have to wait until somebody slow is gone, but need not try again. */
  private static void assertNewcomersAreServed(FirestoreServer server) throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      try (RawClient client = new RawClient(server)) {
        assertServed(client);
      }
    }
  }

  private static void assertServed(RawClient client) throws IOException {
    client.send("GET " + ROOT + "/c" + HOST + "\r\n");
    assertThat(client.readUntil("}\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void theEndpointsOfTheEmulatorMayTakeLongerAsImportsDo() throws Exception {
    AtomicBoolean slow = new AtomicBoolean();
    InstantSource time = () -> {
      if (Thread.currentThread().getName().startsWith("firestore-request")
          && slow.getAndSet(false)) {
        LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
      }
      return Instant.now();
    };
    try (FirestoreServer server = FirestoreServer.builder()
        .time(time)
        .requestTimeout(Duration.ofSeconds(2))
        .start()) {
      slow.set(true);
      HttpResponse<String> answer = HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost()
                      + "/emulator/v1/projects/p/databases/(default)/documents"))
                  .DELETE()
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(slow).as("it was slow").isFalse();
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }
}
