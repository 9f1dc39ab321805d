package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.auth.Authorizer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Documents of up to 16 MiB, for those who ask for them. Over gRPC, Google's own tests write and read them. */
@Tag("slow")
@Timeout(180)
class LargeDocumentsTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final String DOCUMENTS = "/v1/projects/p/databases/(default)/documents";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void twoMebibytesAreTooMuchUnlessTheyAreAllowed() throws Exception {
    for (boolean allowed : new boolean[] {false, true}) {
      try (FirestoreServer server = FirestoreServer.builder()
          .authorizer(Authorizer.open())
          .largeDocuments(allowed)
          .start()) {
        assertThat(write(server, 2 * MEBIBYTE).statusCode()).isEqualTo(allowed ? 200 : 400);
      }
    }
  }

  @Test
  void aLargeDocumentOutlivesARestartAnExportAndAnImport(@TempDir Path directory) throws Exception {
    FirestoreServerBuilder settings = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .largeDocuments(true)
        .dataDirectory(directory.resolve("data"));
    try (FirestoreServer server = settings.start()) {
      assertThat(write(server, 15 * MEBIBYTE).statusCode()).isEqualTo(200);
    }
    try (FirestoreServer server = settings.start()) {
      assertThat(length(server)).isEqualTo(15 * MEBIBYTE);
      server.exportTo(directory.resolve("export"), "p");
    }
    try (FirestoreServer server = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .importFrom(directory.resolve("export"))
        .start()) {
      assertThat(length(server)).isEqualTo(15 * MEBIBYTE);
    }
  }

  @Test
  void aDocumentThatIsTooLargeIsInvalidAndARequestThatIsTooLargeIsNotRead() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .largeDocuments(true)
        .start()) {
      HttpResponse<String> document = write(server, 17 * MEBIBYTE);
      assertThat(document.statusCode()).isEqualTo(400);
      assertThat(document.body()).contains("INVALID_ARGUMENT");
      assertThat(write(server, 33 * MEBIBYTE).statusCode()).isEqualTo(413);
    }
  }

  private HttpResponse<String> write(FirestoreServer server, int length) throws Exception {
    String body = "{\"fields\":{\"text\":{\"stringValue\":\"" + "y".repeat(length) + "\"}}}";
    return send(server, "PATCH", "?mask.fieldPaths=none", body);
  }

  private int length(FirestoreServer server) throws Exception {
    String answer = send(server, "GET", "", "").body();
    return answer.lastIndexOf('y') - answer.indexOf('y') + 1;
  }

  private HttpResponse<String> send(
      FirestoreServer server, String method, String query, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(
                URI.create("http://" + server.emulatorHost() + DOCUMENTS + "/c/d" + query))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }
}
