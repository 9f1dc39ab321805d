package dev.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesTest {

  private static final String RULES = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents/cities/{city} {
          allow get: if isEditor() || city == 'paris';
          allow list: if resource.data.public == true && request.query.limit <= 10;
          allow create: if request.resource.data.name is string;
          function isEditor() {
            return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.editor == true;
          }
        }
      }
      """;

  private static final String TESTS = """
      testSuite:
        testCases:
          - name: anybody reads paris
            expectation: ALLOW
            request: { method: get, path: /databases/(default)/documents/cities/paris }
          - expectation: DENY
            request: { method: get, path: cities/rome, auth: { uid: bob } }
          - name: an editor reads rome
            expectation: ALLOW
            request: { method: get, path: cities/rome, auth: { uid: ann, token: { email: a@b.c } } }
            functionMocks:
              - function: get
                args: [ { exactValue: /databases/(default)/documents/users/ann } ]
                result: { value: { data: { editor: true } } }
          - name: a query that is proved
            expectation: ALLOW
            request:
              method: list
              path: cities
              query: { limit: 10, where: [ { field: public, op: "==", value: true } ] }
          - name: a query that is not
            expectation: DENY
            request: { method: list, path: cities, query: { limit: 10 } }
          - name: a name that is a time
            expectation: DENY
            request: { method: create, path: cities/x, resource: { data: { name: 2026-11-15T12:00:00Z } } }
      """;

  @TempDir
  Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Runs the program in this process, which is quicker than a new one for each question. */
  private static Answer run(Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] texts = java.util.Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new);
    int exitCode = Program.run(
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of()),
        texts);
    return new Answer(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Test
  void problemsAreShownWithTheirLineAndAMarkBelow() throws IOException {
    Path rules = file("bad.rules", """
        service cloud.firestore {
        \tmatch /databases/{database}/documents/cities/{city} {
        \t\tallow get: if city is text;
          }
        }
        """);
    Answer answer = run("rules", "check", rules);
    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.err())
        .startsWith(rules + ":3:25: error: Expected a type after 'is'")
        .endsWith("\n  \t\tallow get: if city is text;\n  \t\t                      ^~~~\n");
    assertThat(answer.out()).isEqualTo(rules + ": 1 error, 0 warnings\n");
  }

  @Test
  void warningsFailOnlyIfTheyAreTakenForErrors() throws IOException {
    Path rules = file("open.rules", """
        service cloud.firestore {
          match /databases/{database}/documents/cities/{city} { allow write: if true; }
        }
        """);
    assertThat(run("rules", "check", rules).exitCode()).isZero();
    Answer strict = run("--json", "rules", "check", "--strict", rules);
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.out())
        .isEqualTo(
            "{\"ok\":false,\"problems\":[{\"severity\":\"warning\",\"line\":2,\"column\":57,"
                + "\"message\":\"The condition is always true: everybody may create, delete, update.\"}]}\n");
  }

  @Test
  void testsSayWhatEveryCaseAndEveryExpressionCameTo() throws IOException {
    Path rules = file("firestore.rules", RULES);
    Path page = directory.resolve("coverage.html");
    Answer answer = run("rules", "test", "--html", page, rules, file("tests.yaml", TESTS));
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .contains("passed  anybody reads paris (allowed)")
        .contains("passed  case 2 (denied)")
        .contains("passed  a query that is proved (allowed)")
        .contains("6 of 6 cases passed")
        .contains("L4:33    city == 'paris'  → false ×1, true ×1")
        .contains("unknown: resource.data.public ×1");
    assertThat(answer.exitCode()).isZero();
    assertThat(page).content().contains("<title>Rule coverage</title>");
  }

  @Test
  void aCaseThatComesOutOtherwiseFailsWithTheReason() throws IOException {
    Path rules = file("firestore.rules", RULES);
    Path tests = file("tests.yaml", TESTS.replaceFirst("DENY", "ALLOW"));
    Answer answer = run("rules", "test", rules, tests);
    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out())
        .contains("FAILED  case 2: denied, but expected otherwise: evaluation error at L8:14")
        .contains("5 of 6 cases passed");
    Answer json = run("--json", "rules", "test", rules, tests);
    assertThat(json.out().lines()).hasSize(1);
    assertThat(json.out()).startsWith("{\"ok\":false,\"passed\":5,\"failed\":1,\"cases\":[{");
  }

  @Test
  void anExplanationShowsTheValueOfEveryPart() throws IOException {
    Path rules = file("firestore.rules", RULES);
    Path tests = file("tests.yaml", TESTS);
    Answer allowed = run("rules", "explain", rules, tests, "an editor reads rome");
    assertThat(allowed.exitCode()).isZero();
    assertThat(allowed.out())
        .startsWith("an editor reads rome: ALLOWED by line 4\n")
        .contains("isEditor()  = true")
        .contains("request.auth.uid  = 'ann'")
        .contains(".data.editor  = true");
    Answer denied = run("rules", "explain", rules, tests, "2");
    assertThat(denied.exitCode()).isEqualTo(1);
    assertThat(denied.out())
        .contains("DENIED: ", "error: Null value error.", "city == 'paris'  = false");
    assertThat(run("rules", "explain", rules, tests).exitCode()).isEqualTo(2);
    assertThat(run("rules", "explain", rules, tests, "nobody").exitCode()).isEqualTo(2);
  }

  @Test
  void filesThatMakeNoSenseAreToldWithThePlace() throws IOException {
    Path rules = file("firestore.rules", RULES);
    assertThat(run("rules", "check", directory.resolve("missing")).exitCode()).isEqualTo(2);
    assertThat(run("rules").exitCode()).isEqualTo(2);
    for (Map.Entry<String, String> bad : Map.of(
            "testCases: [",
            "Line 1",
            "testCases: []",
            "There are no testCases",
            "testCases: [ { request: {} } ]",
            "testCases 1: it lacks expectation",
            "testCases: [ { expectation: MAYBE } ]",
            "neither ALLOW nor DENY",
            "testCases: [ { expectation: ALLOW, request: { method: look, path: a/b } } ]",
            "is none of get, list",
            "testCases: [ { expectation: ALLOW, request: { method: get, path: a } } ]",
            "even number of ids",
            "testCases: [ { expectation: ALLOW, request: { method: list, path: a/b } } ]",
            "odd number of ids")
        .entrySet()) {
      Answer answer = run("rules", "test", rules, file("tests.yaml", bad.getKey()));
      assertThat(answer.exitCode()).as(bad.getKey()).isEqualTo(2);
      assertThat(answer.err()).as(bad.getKey()).contains(bad.getValue());
    }
  }

  @Test
  void theTestsThatWeShipPass() {
    Path firebase = Path.of("../sync/firebase");
    Answer answer =
        run("rules", "test", firebase.resolve("firestore.rules"), firebase.resolve("tests.yaml"));
    assertThat(answer.exitCode()).as(answer.out()).isZero();
    assertThat(run("rules", "check", "--strict", firebase.resolve("firestore.rules"))
            .exitCode())
        .isZero();
  }
}
