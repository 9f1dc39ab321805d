package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("slow")
class FirestoreExecTest {

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  /** Returns a script that talks to the server of its environment, in the one language that is always there. */
  private String client() throws IOException {
    Path script = syncguard.file("Client.java");
    Files.writeString(script, """
        import java.net.URI;
        import java.net.http.*;

        class Client {
          public static void main(String[] arguments) throws Exception {
            for (String each : arguments) {
              String[] words = each.split(" ");
              HttpRequest request = HttpRequest.newBuilder(URI.create("http://"
                      + System.getenv("FIRESTORE_EMULATOR_HOST") + "/v1/projects/"
                      + System.getenv("GCLOUD_PROJECT") + "/databases/" + words[1] + "/documents/c/d"))
                  .method(words[0], HttpRequest.BodyPublishers.ofString("{}"))
                  .build();
              System.out.println(HttpClient.newHttpClient()
                  .send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
            }
          }
        }
        """);
    return script.toString();
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElseThrow();
  }

  /** Returns the command that sends requests, each a method and a database, and prints the status of each. */
  private String ask(String... requests) throws IOException {
    return java() + " " + client() + " '" + String.join("' '", requests) + "'";
  }

  @Test
  void theCommandFindsTheServerAndItsExitCodeIsPassedOn() {
    Answer answer = syncguard.run(
        "firestore",
        "exec",
        "--port",
        "0",
        "--project",
        "demo-x",
        "--",
        "sh",
        "-c",
        "echo \"$FIRESTORE_EMULATOR_HOST $FIREBASE_FIRESTORE_EMULATOR_ADDRESS $GCLOUD_PROJECT"
            + " $FIREBASE_CONFIG\"; exit 7");
    assertThat(answer.exitCode()).isEqualTo(7);
    assertThat(answer.out().strip())
        .matches("(127.0.0.1:\\d+) \\1 demo-x \\{\"projectId\":\"demo-x\"}");
  }

  @Test
  void aSignalReachesTheCommandWhichThenEndsAsItLikes() {
    RealProgram.Running running = syncguard.start(
        "firestore",
        "exec",
        "--port",
        "0",
        "--",
        "sh",
        "-c",
        "trap 'echo caught; exit 9' TERM; echo ready; while :; do sleep 0.1; done");
    running.awaitOutput("ready");
    RealProgram.kill("TERM", running.pid());
    Answer answer = running.answer();
    assertThat(answer.out()).contains("caught");
    assertThat(answer.exitCode()).isEqualTo(9);
  }

  @Test
  void aCommandThatIsNotThereIsToldAsShellsDo() throws IOException {
    Answer missing =
        syncguard.run("firestore", "exec", "--port", "0", "--", "no-such-command-here");
    assertThat(missing.exitCode()).isEqualTo(127);
    Path file = Files.createFile(
        syncguard.file("plain"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    assertThat(syncguard
            .run("firestore", "exec", "--port", "0", "--", file.toString())
            .exitCode())
        .isEqualTo(126);
    assertThat(syncguard.run("firestore", "exec").exitCode()).isEqualTo(2);
  }

  @Test
  void whatACommandWroteIsExportedAndTheNextOneBeginsWithIt() throws IOException {
    String export = syncguard.file("export").toString();
    Answer first = syncguard.run(
        "firestore",
        "exec",
        "--port",
        "0",
        "--export-on-exit",
        export,
        "--",
        "sh",
        "-c",
        ask("PATCH (default)"));
    assertThat(first.out().strip()).isEqualTo("200");
    assertThat(first.err()).contains("Exported 1 document of project demo-syncguard to " + export);
    Answer second = syncguard.run(
        "firestore",
        "--port",
        "0",
        "--import",
        export,
        "--export-on-exit",
        "exec",
        "--",
        "sh",
        "-c",
        ask("GET (default)"));
    assertThat(second.out().strip()).as(second.err()).isEqualTo("200");
    assertThat(second.err()).contains("Exported 1 document");
    assertThat(second.exitCode()).isZero();
  }

  @Test
  void anExportThatFailsIsAnErrorAlthoughTheCommandIsFine() throws IOException {
    Path file = Files.writeString(syncguard.file("file"), "");
    Answer answer = syncguard.run(
        "firestore", "exec", "--port", "0", "--export-on-exit", file.toString(), "--", "true");
    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.err()).contains("Nothing was exported to " + file);
  }

  @Test
  void whatCannotBeImportedIsToldAndNothingStarts() throws IOException {
    Path damaged = Files.writeString(syncguard.file("x.overall_export_metadata"), "nonsense");
    Answer answer = syncguard.run(
        "firestore",
        "exec",
        "--port",
        "0",
        "--import",
        damaged.toString(),
        "--",
        "echo",
        "started");
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).contains("version not supported", damaged.toString());
    assertThat(syncguard.run("firestore", "--port", "0", "--export-on-exit").err())
        .contains("--export-on-exit needs a directory");
  }

  @Test
  void aFirebaseJsonGivesEachDatabaseItsRulesAndTheProjectItsName() throws IOException {
    Files.writeString(syncguard.file(".firebaserc"), "{\"projects\": {\"default\": \"demo-rc\"}}");
    Files.writeString(syncguard.file("firebase.json"), """
        {"firestore": [
           {"database": "(default)", "rules": "a.rules"},
           {"database": "second", "rules": "b.rules"},
           {"database": "third", "rules": "missing.rules"}],
         "emulators": {"firestore": {"host": "127.0.0.1", "port": 0}}}
        """);
    rules("a.rules", "allow get;");
    rules("b.rules", "allow write;");
    Answer answer = syncguard.run(
        "firestore",
        "exec",
        "--firebase",
        syncguard.file("firebase.json").toString(),
        "--",
        "sh",
        "-c",
        "echo $GCLOUD_PROJECT; "
            + ask("GET (default)", "PATCH (default)", "GET second", "PATCH second", "PATCH third"));
    assertThat(answer.out().lines())
        .as(answer.err())
        .containsExactly("demo-rc", "404", "403", "403", "200", "403");
    assertThat(answer.err())
        .contains("missing.rules does not exist, so database third has no rules")
        .doesNotContain("a.rules does not exist");
  }

  @Test
  void rulesThatAreNoNameOfAFileAreRefusedRatherThanIgnored() throws IOException {
    Path file = Files.writeString(
        syncguard.file("firebase.json"), "{\"firestore\": {\"rules\": [\"a.rules\"]}}");
    Answer answer = syncguard.run("firestore", "exec", "--firebase", file.toString(), "--", "true");
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains("firestore.rules in " + file + " must be a string");
  }

  @Test
  void aFirebaseJsonThatIsNoneIsToldBeforeAnythingStarts() throws IOException {
    Path file = Files.writeString(syncguard.file("firebase.json"), "[");
    Answer answer = syncguard.run("firestore", "--firebase", file.toString());
    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err()).contains(file + " is not a JSON object").hasLineCount(1);
  }

  private void rules(String name, String statement) throws IOException {
    Files.writeString(syncguard.file(name), """
        service cloud.firestore {
          match /databases/{database}/documents/c/{document} {
            %s
          }
        }
        """.formatted(statement));
  }

  @Test
  void whatPeoplePassToTheToolsOfFirebaseIsUnderstood() throws Exception {
    Path config = Files.writeString(
        syncguard.file("firebase.json"), "{\"emulators\": {\"firestore\": {\"port\": 0}}}");
    Answer answer = syncguard.run(
        "firestore",
        "exec",
        "--only",
        "firestore",
        "-c",
        config.toString(),
        "-P",
        "demo-p",
        "echo $GCLOUD_PROJECT && exit 3");
    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out().strip()).isEqualTo("demo-p");
    Answer more = syncguard.run("firestore", "exec", "--only", "auth,firestore", "--", "true");
    assertThat(more.exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(more.err()).contains("--only firestore");
  }
}
