package dev.syncguard.firestore.server.http;

import static dev.syncguard.firestore.server.http.SmallHeapServer.ROOT;
import static dev.syncguard.firestore.server.http.SmallHeapServer.post;
import static dev.syncguard.firestore.server.http.SmallHeapServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.webchannel.ChannelClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that are together many times the heap, or become it, do not fill it. */
@Tag("slow")
@Timeout(240)
class HeavyRequestsTest {
  private static final String SERVICE = "/google.firestore.v1.Firestore/";

  @RegisterExtension
  static final SmallHeapServer SERVER = new SmallHeapServer();

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void bodiesThatAreLargeAndNeverEnd() throws Exception {
    byte[] part = new byte[14 << 20];
    String head = "POST /v1/" + ROOT + ":commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + (part.length + 1) + "\r\n\r\n";
    int refused = 0;
    for (int i = 0; i < 20; i++) {
      Socket socket = SERVER.send(head);
      sockets.add(socket);
      try {
        socket.getOutputStream().write(part);
      } catch (IOException e) {
        refused++; // answered and closed before we were done
      }
    }
    for (Socket socket : sockets) {
      refused += socket.getInputStream().available() > 0 ? 1 : 0;
    }
    assertThat(refused).as("20 × 14 MiB are too much").isPositive();
  }

  @Test
  void compressedMessagesThatUnpackToMuchMore() throws Exception {
    HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    byte[] message = bomb();
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (String method : List.of("Commit", "RunQuery", "Listen", "Write", "BatchWrite")) {
      HttpRequest request = HttpRequest.newBuilder(
              URI.create("http://" + SERVER.host() + SERVICE + method))
          .header("content-type", "application/grpc")
          .header("grpc-encoding", "gzip")
          .timeout(Duration.ofSeconds(60))
          .POST(BodyPublishers.ofByteArray(message))
          .build();
      answers.add(http.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      HttpResponse<byte[]> refusal = answer.get(60, TimeUnit.SECONDS);
      assertThat(refusal.statusCode()).isEqualTo(200);
      assertThat(refusal.headers().firstValue("grpc-status"))
          .as(refusal.uri() + " is RESOURCE_EXHAUSTED")
          .contains("8");
    }
  }

  private static byte[] bomb() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
      // A field of 512 MiB, which is not even wrong.
      zip.write(new byte[] {0x0a, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x02});
      byte[] megabyte = new byte[1 << 20];
      for (int i = 0; i < 512; i++) {
        zip.write(megabyte);
      }
    }
    return ByteBuffer.allocate(5 + packed.size())
        .put((byte) 1)
        .putInt(packed.size())
        .put(packed.toByteArray())
        .array();
  }

  @Test
  void messagesOfWebPagesThatWaitForOthersThatNeverCome() throws Exception {
    String message = "x".repeat(14 << 20);
    int refused = 0;
    for (int i = 0; i < 20; i++) {
      ChannelClient page = new ChannelClient(SERVER.host(), "Write").open();
      refused += page.send(1, message).statusCode() == 503 ? 1 : 0;
    }
    assertThat(refused).as("20 × 14 MiB are too much").isPositive();
  }

  @Test
  void aThousandConnectionsEachWithARequest() throws Exception {
    for (int i = 0; i < 1000; i++) {
      sockets.add(SERVER.send(post("/many?documentId=d" + i, "{\"fields\":{}}")));
    }
    for (Socket socket : sockets) {
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200");
    }
  }
}
