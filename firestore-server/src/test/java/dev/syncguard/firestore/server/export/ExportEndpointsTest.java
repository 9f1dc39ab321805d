package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.export.EndpointClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints answer as those of the official emulator were recorded to. */
@SuppressWarnings("NullAway.Init")
class ExportEndpointsTest {
  @TempDir
  private Path directory;

  private FirestoreServer server;
  private EndpointClient client;
  private StoredDocuments documents;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().start();
    client = new EndpointClient(server);
    documents = new StoredDocuments(server, "p", "(default)");
    documents.set("c/d", Map.of());
  }

  @AfterEach
  void stop() {
    documents.close();
    server.close();
  }

  private void assertRefused(Answer answer, int code, String status, String message) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(code);
    assertThat(answer.body()).contains("\"status\":\"" + status + "\"", message);
  }

  @Test
  void anExportAndAnImportSucceedWithAnEmptyObject() throws Exception {
    assertThat(client.post(":export", client.exportOf(directory, "firestore_export")))
        .isEqualTo(new Answer(200, "{\n}\n"));
    server.clear();
    assertThat(client.post(":import", client.importOf(directory)))
        .isEqualTo(new Answer(200, "{\n}\n"));
    assertThat(documents.fields()).containsOnlyKeys("c/d");
  }

  @Test
  void theBodyDecidesAboutTheDatabaseAndCamelCaseIsUnderstood() throws Exception {
    String body = "{\"database\": \"projects/p/databases/(default)\", \"exportDirectory\": \""
        + directory + "\", \"exportName\": \"x\"}";
    assertThat(client.send("POST", "/emulator/v1/projects/q/databases/z:export", body, ""))
        .isEqualTo(new Answer(200, "{\n}\n"));
    assertThat(NaiveExport.read(directory.resolve("x/all_namespaces/all_kinds/output-0")))
        .containsOnlyKeys("dev~p:/c/d");
  }

  @Test
  void anExportWithoutANameTellsTheTime() throws Exception {
    String body = "{\"database\": \"projects/p/databases/(default)\", \"export_directory\": \""
        + directory + "\"}";
    assertThat(client.post(":export", body).status()).isEqualTo(200);
    try (var made = Files.list(directory)) {
      assertThat(made)
          .singleElement()
          .satisfies(file ->
              assertThat(file.getFileName().toString()).matches("firestore_export_\\d{10}"));
    }
  }

  @Test
  void aPlaceThatIsNoDirectoryIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    for (String place :
        new String[] {file.toString(), directory.resolve("missing").toString(), ""}) {
      assertRefused(
          client.post(":export", client.exportOf(Path.of(place), "n")),
          400,
          "FAILED_PRECONDITION",
          "export_directory must be a directory");
    }
  }

  @Test
  void aNameThatLeadsElsewhereIsRefused() throws Exception {
    for (String name : new String[] {"a/b", "..", "."}) {
      assertRefused(
          client.post(":export", client.exportOf(directory, name)),
          500,
          "INTERNAL",
          "failed to write export");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatIsNoRequestIsRefused() throws Exception {
    for (String body :
        new String[] {"[]", "{", "\"x\"", "{\"databas\": \"x\"}", "{\"database\": 7}"}) {
      assertRefused(
          client.post(":export", body),
          400,
          "INVALID_ARGUMENT",
          "Payload isn't valid for request.");
    }
    assertRefused(
        client.post(":import", client.exportOf(directory, "n")),
        400,
        "INVALID_ARGUMENT",
        "Payload isn't valid for request.");
    assertRefused(
        client.post(":export", ""),
        400,
        "INVALID_ARGUMENT",
        "Database name \\\"\\\" lacks \\\"projects\\\" at index 0.");
  }

  @Test
  void whatIsNoExportIsRefused() throws Exception {
    assertRefused(
        client.post(":import", client.importOf(directory)),
        400,
        "INVALID_ARGUMENT",
        "Failed to parse overall export metadata file");
    Path file = directory.resolve("firestore_export/firestore_export.overall_export_metadata");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "something else");
    assertRefused(
        client.post(":import", client.importOf(directory)),
        400,
        "INVALID_ARGUMENT",
        "Overall export metadata file version not supported");
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    server.exportTo(directory, "p");
    Path kinds = directory.resolve("firestore_export/all_namespaces/all_kinds");
    Files.delete(kinds.resolve("output-0"));
    assertRefused(
        client.post(":import", client.importOf(directory)),
        400,
        "INVALID_ARGUMENT",
        "Failed parse entity file:" + kinds.resolve("output-0"));
    Path kind = kinds.resolve("all_namespaces_all_kinds.export_metadata");
    Files.delete(kind);
    assertRefused(
        client.post(":import", client.importOf(directory)),
        400,
        "INVALID_ARGUMENT",
        kind + " (No such file or directory)");
  }

  @Test
  void aBadTokenAndOtherMethodsAreRefused() throws Exception {
    Answer token = client.send("POST", "/emulator/v1/projects/p:export", "{}", "Bearer x");
    assertRefused(token, 400, "INVALID_ARGUMENT", "invalid jwt");
    assertThat(client.send("GET", "/emulator/v1/projects/p:export", "", "").status())
        .isEqualTo(404);
    assertThat(client.send("POST", "/emulator/v1/projects/p:export/", "", "").status())
        .isEqualTo(404);
  }

  @Test
  void aPathThatLeadsOutOfTheExportIsNotFollowed() throws Exception {
    Path overall = directory.resolve("firestore_export/firestore_export.overall_export_metadata");
    Files.createDirectories(overall.getParent());
    Files.writeString(directory.resolve("secret"), "x");
    try (LogWriter log = new LogWriter(Files.newOutputStream(overall))) {
      log.append(new byte[] {0x33});
      log.append(Bytes.of("0a 0b 12 09 \"../secret\""));
    }
    assertRefused(
        client.post(":import", client.importOf(directory)),
        400,
        "INVALID_ARGUMENT",
        "leads out of");
  }
}
