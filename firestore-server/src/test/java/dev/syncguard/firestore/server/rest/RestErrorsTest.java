package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Authorizer;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong looks the same whatever the reason: the HTTP status, and a body that names the code. */
@Timeout(120)
class RestErrorsTest {
  private static final String DATABASE = "/v1/projects/p/databases/(default)";
  private static final String NAME = "projects/p/databases/(default)/documents";

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @CsvSource({
    "INVALID_ARGUMENT,400",
    "FAILED_PRECONDITION,400",
    "OUT_OF_RANGE,400",
    "UNAUTHENTICATED,401",
    "PERMISSION_DENIED,403",
    "NOT_FOUND,404",
    "ABORTED,409",
    "ALREADY_EXISTS,409",
    "RESOURCE_EXHAUSTED,429",
    "CANCELLED,499",
    "UNKNOWN,500",
    "INTERNAL,500",
    "DATA_LOSS,500",
    "UNIMPLEMENTED,501",
    "UNAVAILABLE,503",
    "DEADLINE_EXCEEDED,504"
  })
  void everyCodeHasItsStatus(Code code, int status) throws Exception {
    Authorizer always = (who, what) -> {
      throw new FirestoreServerException(code, "say \"why\"");
    };
    try (FirestoreServer server = FirestoreServer.builder().authorizer(always).start()) {
      HttpResponse<String> response = send(server, "GET", DATABASE + "/documents/c/d", "");
      assertThat(response.statusCode()).isEqualTo(status);
      assertThat(response.body())
          .isEqualTo("{\"error\":{\"code\":" + status
              + ",\"message\":\"say \\\"why\\\"\",\"status\":\"" + code + "\"}}");
      assertThat(response.headers().firstValue("content-type"))
          .hasValue("application/json; charset=utf-8");
    }
  }

  @Test
  void aLockThatIsNotGivenBackIsAborted() throws Exception {
    try (FirestoreServer server = open().lockTimeout(Duration.ofMillis(50)).start()) {
      String begun =
          send(server, "POST", DATABASE + "/documents:beginTransaction", "{}").body();
      String id = begun.replaceAll("(?s).*\"transaction\": \"([^\"]+)\".*", "$1");
      send(
          server,
          "POST",
          DATABASE + "/documents:batchGet",
          "{\"documents\":[\"" + NAME + "/c/d\"],\"transaction\":\"" + id + "\"}");
      HttpResponse<String> response =
          send(server, "PATCH", DATABASE + "/documents/c/d", "{\"fields\":{}}");
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body())
          .contains("\"status\":\"ABORTED\"")
          .contains("Transaction lock timeout.");
    }
  }

  @Test
  void moreDatabasesThanWeHaveRoomForAreAQuota() throws Exception {
    try (FirestoreServer server = open().start()) {
      for (int i = 0; i < 1000; i++) {
        assertThat(send(server, "POST", "/v1/projects/p" + i + "/databases/d/documents/c", "{}")
                .statusCode())
            .isEqualTo(200);
      }
      HttpResponse<String> response =
          send(server, "GET", "/v1/projects/more/databases/d/documents/c", "");
      assertThat(response.statusCode()).isEqualTo(429);
      assertThat(response.body()).contains("RESOURCE_EXHAUSTED", "Too many databases");
    }
  }

  @Test
  void aDiskThatIsFullMakesUsUnavailable(@TempDir Path directory) throws Exception {
    Path files = directory.resolve("p").resolve("%28default%29");
    Files.createDirectories(files);
    Files.createSymbolicLink(files.resolve("commits-0000000000000000"), Path.of("/dev/full"));
    try (FirestoreServer server = open().dataDirectory(directory).start()) {
      for (String body : List.of("{\"fields\":{}}", "{}")) {
        HttpResponse<String> response = send(server, "PATCH", DATABASE + "/documents/c/d", body);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("UNAVAILABLE", "make room");
      }
    }
  }

  @Test
  void aRequestThatDoesNotArriveInTimeExceedsItsDeadline() throws Exception {
    try (FirestoreServer server = open().requestTimeout(Duration.ofMillis(300)).start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(("POST " + DATABASE + "/documents:commit HTTP/1.1\r\nHost: localhost\r\n"
                  + "Content-Length: 100\r\n\r\n{\"writes\":")
              .getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      int next = socket.getInputStream().read();
      while (next >= 0 && answer.indexOf("}}") < 0) {
        answer.append((char) next);
        next = socket.getInputStream().read();
      }
      assertThat(answer).startsWith("HTTP/1.1 504 ");
      assertThat(answer).contains("\"code\":504", "\"status\":\"DEADLINE_EXCEEDED\"");
    }
  }

  @Test
  void aWriteWhoseAnswerCannotBeMadeIsNotDone() throws Exception {
    String document = DATABASE + "/documents/c/d";
    try (FirestoreServer server = open().start()) {
      String written = "{\"fields\":{}}";
      String created = DATABASE + "/documents/c?documentId=d";
      for (String mask : List.of("", "a..b", "a&mask.fieldPaths=a..b")) {
        HttpResponse<String> update =
            send(server, "PATCH", document + "?mask.fieldPaths=" + mask, written);
        assertThat(update.statusCode()).as(update.body()).isEqualTo(400);
        HttpResponse<String> create =
            send(server, "POST", created + "&mask.fieldPaths=" + mask, written);
        assertThat(create.statusCode()).as(create.body()).isEqualTo(400);
      }
      assertThat(send(server, "GET", document, "").statusCode()).isEqualTo(404);
    }
  }

  private static FirestoreServerBuilder open() {
    return FirestoreServer.builder().authorizer(Authorizer.open());
  }

  private HttpResponse<String> send(FirestoreServer server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + path))
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
