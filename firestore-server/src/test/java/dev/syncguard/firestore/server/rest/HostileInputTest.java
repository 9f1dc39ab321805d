package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a client sends stops the server: it answers with an error, and the next request is served. */
class HostileInputTest {
  private static final String ROOT = "/v1/projects/p/databases/(default)/documents";
  private static final String COMMIT =
      "{\"writes\":[{\"update\":{\"name\":\"projects/p/databases/(default)/documents/c/d\","
          + "\"fields\":{\"a\":{\"mapValue\":{\"fields\":{\"b\":{\"arrayValue\":{\"values\":[{\"doubleValue\":1.5}]}}}}},"
          + "\"t\":{\"timestampValue\":\"2020-01-01T00:00:00Z\"}}},\"updateMask\":{\"fieldPaths\":[\"a.b\"]},"
          + "\"updateTransforms\":[{\"fieldPath\":\"n\",\"increment\":{\"integerValue\":\"1\"}}]}]}";

  private static FirestoreServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().start();
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void theServerStillWorks() throws Exception {
    assertThat(post(ROOT + ":commit", COMMIT.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedBodiesAreAnsweredWithAStatus(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 150; i++) {
      byte[] body = COMMIT.getBytes(StandardCharsets.UTF_8);
      for (int change = 0; change <= random.nextInt(4); change++) {
        body[random.nextInt(body.length)] = (byte) (32 + random.nextInt(95));
      }
      int status = post(ROOT + ":commit", body).statusCode();
      assertThat(status)
          .as("seed " + seed + " body " + new String(body, StandardCharsets.UTF_8))
          .isIn(200, 400, 404, 409);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "\\ud83d, 400",
    "\\ude00, 400",
    "x\\ud83d\\u0041, 400",
    "\\ud83d\\ud83d\\ude00, 400",
    "\\\\ud83d, 200",
    "\\ud83d\\ude00, 200",
    "\\uD83D\\uDE00x, 200"
  })
  void halfACharacterIsNoText(String text, int status) throws Exception {
    String body = COMMIT.replace("{\"doubleValue\":1.5}", "{\"stringValue\":\"" + text + "\"}");
    assertThat(post(ROOT + ":commit", body.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void damagedGrpcMessagesAreAnsweredWithAStatus(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      byte[] message = new byte[5 + random.nextInt(200)];
      random.nextBytes(message);
      message[0] = 0;
      message[1] = 0;
      message[2] = 0;
      message[3] = (byte) ((message.length - 5) >> 8);
      message[4] = (byte) (message.length - 5);
      HttpRequest request = HttpRequest.newBuilder(URI.create(
              "http://" + server.emulatorHost() + "/google.firestore.v1.Firestore/Commit"))
          .header("content-type", "application/grpc")
          .timeout(Duration.ofSeconds(30))
          .POST(BodyPublishers.ofByteArray(message))
          .build();
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).as("seed " + seed).isEqualTo(200);
      // What is no message is an invalid one; what is one by chance says nothing about a database.
      assertThat(answer.headers().firstValue("grpc-status")).as("seed " + seed).hasValue("3");
    }
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    String deep = "{\"fields\":" + "{\"mapValue\":{\"fields\":{\"a\":".repeat(100_000);
    assertThat(post(ROOT + "/c", deep.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(400);
    String arrays = "[".repeat(100_000);
    assertThat(post(ROOT + ":commit", arrays.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(400);
  }

  @Test
  void aMillionDigitsAreRefusedAtOnce() throws Exception {
    String digits = "{\"fields\":{\"a\":{\"integerValue\":" + "9".repeat(1_000_000) + "}}}";
    assertThat(post(ROOT + "/c", digits.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(400);
    String quoted = "{\"fields\":{\"a\":{\"integerValue\":\"" + "9".repeat(1_000_000) + "\"}}}";
    assertThat(post(ROOT + "/c", quoted.getBytes(StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(400);
  }

  @Test
  void aBodyBeyondTheLimitIsRefused() throws Exception {
    HttpResponse<String> answer = post(ROOT + ":commit", new byte[17 << 20]);
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("\"code\":413", "\"status\":\"RESOURCE_EXHAUSTED\"");
  }

  @Test
  void aRequestWithTwoLengthsIsRefused() throws Exception {
    String answer =
        raw("POST " + ROOT + ":commit HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}");
    assertThat(answer).startsWith("HTTP/1.1 400").contains("\"status\":\"INVALID_ARGUMENT\"");
  }

  @Test
  void headersBeyondTheLimitAreRefusedInJson() throws Exception {
    String answer = raw(
        "GET " + ROOT + "/c HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(100_000) + "\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 431").contains("\"code\":431");
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aCompressedBombIsNotUnpacked() throws Exception {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bomb)) {
      for (int i = 0; i < 64; i++) {
        zip.write(new byte[1 << 20]);
      }
    }
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + ROOT + ":commit"))
        .header("content-encoding", "gzip")
        .POST(BodyPublishers.ofByteArray(bomb.toByteArray()))
        .build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
  }

  @Test
  void aThousandIdleConnectionsDoNotKeepOthersOut() throws IOException, InterruptedException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket
            .getOutputStream()
            .write("POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        sockets.add(socket);
      }
      assertThat(post(ROOT + ":commit", COMMIT.getBytes(StandardCharsets.UTF_8)).statusCode())
          .isEqualTo(200);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aNameThatIsNotOursIsRefused() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403");
    }
  }

  private static HttpResponse<String> post(String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + path))
        .header("Authorization", "Bearer owner")
        .timeout(Duration.ofSeconds(60))
        .POST(BodyPublishers.ofByteArray(body))
        .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
