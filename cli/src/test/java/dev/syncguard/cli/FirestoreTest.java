package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("slow")
class FirestoreTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  private final HttpClient http = HttpClient.newHttpClient();

  private RealProgram.Running serve(String... more) {
    String[] arguments = new String[3 + more.length];
    System.arraycopy(new String[] {"firestore", "--port", "0"}, 0, arguments, 0, 3);
    System.arraycopy(more, 0, arguments, 3, more.length);
    return syncguard.start(arguments).awaitOutput("GCLOUD_PROJECT");
  }

  private static String address(RealProgram.Running server) {
    return server.out().replaceAll("(?s).*FIRESTORE_EMULATOR_HOST=(\\S+).*", "$1");
  }

  private int send(RealProgram.Running server, String method, String path, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create(
        "http://" + address(server) + "/v1/projects/demo/databases/(default)/documents" + path);
    HttpRequest request = HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body))
        .build();
    return http.send(request, BodyHandlers.ofString()).statusCode();
  }

  @Test
  void itServesUntilItIsToldToEnd() throws Exception {
    RealProgram.Running server = serve();
    server.awaitError("NO SECURITY RULES");
    assertThat(send(server, "PATCH", "/books/one", "{\"fields\":{}}")).isEqualTo(200);
    assertThat(send(server, "GET", "/books/one", "")).isEqualTo(200);
    RealProgram.kill("INT", server.pid());
    assertThat(server.answer().exitCode()).isZero();
  }

  @Test
  void theAddressOfTheConsoleIsPrintedAndLetsInWhoHasIt() throws Exception {
    RealProgram.Running server = serve();
    String console =
        server.awaitError("/#token=").err().replaceAll("(?s).*(http://\\S+/#token=\\S+).*", "$1");
    HttpRequest request = HttpRequest.newBuilder(
            URI.create(console.replaceFirst("/#.*", "/api/about")))
        .header("authorization", "Bearer " + console.replaceFirst(".*#token=", ""))
        .build();
    assertThat(http.send(request, BodyHandlers.ofString()).body()).contains(address(server));
    RealProgram.kill("INT", server.pid());
    assertThat(server.answer().exitCode()).isZero();
  }

  @Test
  void aPortThatIsInUseIsSaidToBe() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());
      Answer answer = syncguard.run("firestore", "--port", port);
      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err())
          .contains("Port " + port + " is in use; try --port 0")
          .hasLineCount(1);
    }
  }

  @Test
  void whatDoesNotStartInTheBackgroundEndsAsItWouldInTheForeground() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());
      Answer answer = syncguard.run("firestore", "--port", port, "--detach");
      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err()).contains("Port " + port + " is in use").hasLineCount(1);
      assertThat(answer.out()).isEmpty();

      Answer json = syncguard.run("firestore", "--port", port, "--detach", "--json");
      assertThat(json.exitCode()).isEqualTo(2);
      assertThat(json.out()).startsWith("{\"ok\":false,").doesNotContain("pid").hasLineCount(1);
    }
  }

  @Test
  void aScriptStartsItInTheBackgroundAndGoesOn() throws Exception {
    String script = "eval \"$(\"$@\" firestore --port 0 --detach)\"; "
        + "echo FIRESTORE_EMULATOR_HOST=$FIRESTORE_EMULATOR_HOST pid=$SYNCGUARD_FIRESTORE_PID";
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.addAll(RealProgram.java());
    RealProgram.Running shell = syncguard.startCommand(command);
    assertThat(shell.answer().exitCode()).isZero();

    assertThat(send(shell, "PATCH", "/books/one", "{\"fields\":{}}")).isEqualTo(200);
    RealProgram.await("all is said", () -> shell.err().contains("Everything is forgotten"));
    assertThat(shell.err()).doesNotContain("Ctrl-C");
    long pid = Long.parseLong(shell.out().replaceAll("(?s).*pid=([0-9]+).*", "$1"));
    RealProgram.kill("TERM", pid);
    RealProgram.await(
        "it ends", () -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  void aScriptThatTakesOnlyTheFirstLineGoesOnToo() throws Exception {
    String script = "eval \"$(\"$@\" firestore --port 0 | head -1)\"; "
        + "echo FIRESTORE_EMULATOR_HOST=$FIRESTORE_EMULATOR_HOST";
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.addAll(RealProgram.java());
    RealProgram.Running shell = syncguard.startCommand(command);
    assertThat(shell.answer().exitCode()).isZero();

    assertThat(send(shell, "PATCH", "/books/one", "{\"fields\":{}}")).isEqualTo(200);
    RealProgram.await(
        "both have said where their console is",
        () -> shell.err().split("Console, for you alone", -1).length == 3);
    assertThat(shell.err())
        .as("said once, although two processes have served")
        .containsOnlyOnce("Firestore is running")
        .containsOnlyOnce("NO SECURITY RULES")
        .containsOnlyOnce("Everything is forgotten");
    long pid = Long.parseLong(shell.err().replaceAll("(?s).*To end it: kill ([0-9]+).*", "$1"));
    RealProgram.kill("TERM", pid);
    RealProgram.await(
        "it ends", () -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  void aReaderWhoStaysKeepsItInTheForeground() {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "\"$@\" firestore --port 0 | cat", "bash"));
    command.addAll(RealProgram.java());
    RealProgram.Running shell = syncguard.startCommand(command).awaitOutput("GCLOUD_PROJECT");
    RealProgram.await("all is said", () -> shell.err().contains("Ctrl-C ends it"));
    assertThat(shell.out()).hasLineCount(1);
    assertThat(shell.process().isAlive()).isTrue();
    assertThat(shell.err()).doesNotContain("background");
  }

  @Test
  void withADirectoryItKeepsWhatWasWritten() throws Exception {
    String data = syncguard.file("data").toString();
    RealProgram.Running first = serve("--data", data);
    assertThat(send(first, "PATCH", "/books/one", "{\"fields\":{}}")).isEqualTo(200);
    RealProgram.kill("KILL", first.pid());
    first.process().waitFor();
    RealProgram.Running second = serve("--data", data);
    assertThat(send(second, "GET", "/books/one", "")).isEqualTo(200);
    RealProgram.kill("TERM", second.pid());
    assertThat(second.answer().exitCode()).isZero();
  }

  @Test
  void otherHostsAndOriginsAreLetInByName() throws Exception {
    RealProgram.Running server =
        serve("--allow-host", "firestore", "--allow-origin", "https://app.example:8443");
    assertThat(statusLine(server, "firestore:8080", "")).contains(" 200 ");
    assertThat(statusLine(server, "10.0.2.2", "")).contains(" 200 ");
    assertThat(statusLine(server, "evil.test", "")).contains(" 403 ");
    assertThat(statusLine(server, "localhost", "Origin: https://app.example:8443\r\n"))
        .contains(" 200 ");
    assertThat(statusLine(server, "localhost", "Origin: https://evil.test\r\n")).contains(" 403 ");
    RealProgram.kill("INT", server.pid());
    assertThat(server.answer().exitCode()).isZero();
  }

  @Test
  void whatIsNoHostOrOriginIsToldBeforeAnythingStarts() {
    Answer host = syncguard.run("firestore", "--port", "0", "--allow-host", "http://x");
    assertThat(host.exitCode()).isEqualTo(2);
    assertThat(host.err()).contains("without a port", "http://x").hasLineCount(1);
    Answer origin = syncguard.run("firestore", "--port", "0", "--allow-origin", "app.example");
    assertThat(origin.exitCode()).isEqualTo(2);
    assertThat(origin.err()).contains("https://app.example:8443", "app.example").hasLineCount(1);
  }

  /** Sends a request by hand: the client of the JDK does not let us choose the host. */
  private static String statusLine(RealProgram.Running server, String host, String headers)
      throws IOException {
    String address = address(server);
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      String request = "GET /v1/projects/p/databases/(default)/documents/c HTTP/1.1\r\nHost: "
          + host + "\r\n" + headers + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  @Test
  void argumentsThatMakeNoSenseAreToldBeforeAnythingStarts() {
    assertThat(syncguard.start("firestore", "--port", "70000").answer().exitCode())
        .isEqualTo(2);
    assertThat(
            syncguard.start("firestore", "--indexes", "missing.json").answer().exitCode())
        .isEqualTo(2);
  }

  @Test
  void rulesHoldFromTheirFileAndAgainWhenItChanges() throws Exception {
    Path rules = rules("firestore.rules", "allow get;");
    RealProgram.Running server = serve("--rules", rules.toString());
    assertThat(server.err()).doesNotContain("NO SECURITY RULES");
    assertThat(send(server, "GET", "/books/one", "")).isEqualTo(404);
    assertThat(send(server, "PATCH", "/books/one", "{}")).isEqualTo(403);
    rules("firestore.rules", "allow get");
    RealProgram.await("the rules are refused", () -> server.err().contains("stay as they were."));
    assertThat(server.err()).contains(rules + ":4:", "error:", "^");
    assertThat(send(server, "GET", "/books/one", "")).isEqualTo(404);
    rules("firestore.rules", "allow write;");
    RealProgram.await("the new rules hold", () -> answers(server, 200));
    assertThat(send(server, "GET", "/books/one", "")).isEqualTo(403);
    RealProgram.kill("INT", server.pid());
    assertThat(server.answer().exitCode()).isZero();
  }

  @Test
  void rulesThatDoNotCompileAreShownAndNothingStarts() throws Exception {
    Path rules = rules("broken.rules", "allow get");
    Answer answer =
        syncguard.start("firestore", "--port", "0", "--rules", rules.toString()).answer();
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("broken.rules:4:", "^", "do not compile");
  }

  @Test
  void settingsAreDescribedWithoutStartingAnything() throws Exception {
    Path rules = rules("firestore.rules", "allow get;");
    Files.writeString(syncguard.file("firestore.indexes.json"), """
        {"indexes": [{"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "year", "order": "DESCENDING"}]}],
         "fieldOverrides": [
            {"collectionGroup": "nodes", "fieldPath": "fields.read.value", "indexes": []},
            {"collectionGroup": "nodes", "fieldPath": "expiresAt", "ttl": true}]}
        """);
    Answer answer =
        syncguard.start("firestore", "--rules", rules.toString(), "--describe").answer();
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out().lines().map(String::strip))
        .containsExactly(
            "rules    " + rules,
            "indexes  " + syncguard.file("firestore.indexes.json"),
            "composite  books: author ascending, year descending",
            "not indexed  nodes: fields.read.value",
            "TTL policy  nodes: expiresAt");
  }

  private Path rules(String name, String statement) throws IOException {
    return Files.writeString(syncguard.file(name), """
        service cloud.firestore {
          match /databases/{database}/documents/books/{book} {
            %s
          }
        }
        """.formatted(statement));
  }

  private boolean answers(RealProgram.Running server, int status) {
    try {
      return send(server, "PATCH", "/books/one", "{}") == status;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
