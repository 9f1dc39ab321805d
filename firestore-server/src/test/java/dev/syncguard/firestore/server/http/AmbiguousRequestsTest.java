package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A request that two servers could understand differently is refused, before it does anything: whoever puts a proxy before
 * us must be able to rely on both seeing the same requests.
 */
@Timeout(60)
class AmbiguousRequestsTest {
  private static final String DOCUMENT = "/v1/projects/p/databases/(default)/documents/c/d";
  private static final String PATCH = "PATCH " + DOCUMENT + " HTTP/1.1\r\n";
  private static final String CHUNK = "2\r\n{}\r\n0\r\n\r\n";

  private FirestoreServer server;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().authorizer(Authorizer.open()).start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "two hosts; Host: localhost|Host: localhost|Content-Length: 2; {}",
        "two hosts that differ; Host: localhost|Host: evil.test|Content-Length: 2; {}",
        "length and chunks; Host: localhost|Content-Length: 2|Transfer-Encoding: chunked; CHUNK",
        "chunks and length; Host: localhost|transfer-encoding: Chunked|content-length: 12; CHUNK",
        "two encodings; Host: localhost|Transfer-Encoding: chunked|Transfer-Encoding: chunked; CHUNK",
        "a list of encodings; Host: localhost|Transfer-Encoding: gzip, chunked; CHUNK",
        "another encoding and a length; Host: localhost|Transfer-Encoding: identity|Content-Length: 2; {}",
        "another encoding; Host: localhost|Transfer-Encoding: xchunked; CHUNK",
        "two lengths; Host: localhost|Content-Length: 2|Content-Length: 3; {}"
      })
  void whatCanBeReadInTwoWaysIsRefused(String why, String headers, String body) throws Exception {
    String head = PATCH + headers.replace("|", "\r\n") + "\r\n\r\n";
    try (RawClient client = new RawClient(server)) {
      client.send(head + (body.equals("CHUNK") ? CHUNK : body));
      String answer = client.readUntil("}}");
      assertThat(answer)
          .as(why)
          .startsWith("HTTP/1.1 400 ")
          .contains("\"status\":\"INVALID_ARGUMENT\"");
    }
    assertNothingWritten();
  }

  @Test
  void chunksInHttp10AreRefused() throws Exception {
    try (RawClient client = new RawClient(server)) {
      client.send(PATCH.replace("1.1", "1.0")
          + "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNK);
      assertThat(client.readUntil("}}")).contains(" 400 ");
    }
    assertNothingWritten();
  }

  @Test
  void whatFollowsAnAmbiguousRequestIsNotRead() throws Exception {
    try (RawClient client = new RawClient(server)) {
      client.send("GET " + DOCUMENT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + PATCH
          + "Host: localhost\r\nContent-Length: 2\r\n\r\n{}");
      assertThat(client.readUntil("}}")).startsWith("HTTP/1.1 400 ");
      client.drain(); // the server hangs up: it cannot know where the next request begins
    }
    assertNothingWritten();
  }

  @Test
  void itIsFoundInWhicheverPiecesItArrives() throws Exception {
    String request = PATCH
        + "Host: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNK;
    try (RawClient client = new RawClient(server)) {
      for (int i = 0; i < request.length(); i++) {
        client.send(request.substring(i, i + 1));
      }
      assertThat(client.readUntil("}}")).startsWith("HTTP/1.1 400 ");
    }
    assertNothingWritten();
  }

  @Test
  void chunksAloneAndLengthsAloneAreServedOnOneConnection() throws Exception {
    try (RawClient client = new RawClient(server)) {
      for (int i = 0; i < 3; i++) {
        client.send(PATCH + "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNK);
        assertThat(client.readUntil("}\n")).startsWith("HTTP/1.1 200 ");
        client.send(PATCH + "Host: localhost\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(client.readUntil("}\n")).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void anAuthorityAndAnotherHostAreRefusedInHttp2() {
    assertThat(get("localhost").status().code()).isEqualTo(404);
    AggregatedHttpResponse answer = get("evil.test");
    assertThat(answer.status().code()).isEqualTo(400);
    assertThat(answer.contentUtf8()).contains("INVALID_ARGUMENT");
  }

  private AggregatedHttpResponse get(String host) {
    WebClient client = WebClient.of("h2c://127.0.0.1:" + server.port());
    return client
        .execute(RequestHeaders.builder(HttpMethod.GET, DOCUMENT)
            .authority("localhost")
            .add("host", host)
            .build())
        .aggregate()
        .join();
  }

  private void assertNothingWritten() throws IOException {
    try (RawClient client = new RawClient(server)) {
      client.send("GET " + DOCUMENT + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readUntil("\r\n")).startsWith("HTTP/1.1 404 ");
    }
  }
}
