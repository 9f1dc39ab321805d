package dev.syncguard.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.rules.syntax.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompileTest {

  record Case(List<String> expected, String source) {}

  static List<Case> cases() throws IOException {
    String text;
    try (InputStream in =
        Objects.requireNonNull(CompileTest.class.getResourceAsStream("/rules/problems.txt"))) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<Case> cases = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    StringBuilder source = new StringBuilder();
    boolean inSource = false;
    for (String line : text.lines().skip(1).toList()) {
      if (line.startsWith("== ") && (inSource || isComplete(expected))) {
        cases.add(new Case(List.copyOf(expected), source.toString()));
        expected.clear();
        source.setLength(0);
      }
      inSource = !line.startsWith("== ");
      if (inSource) {
        source.append(line).append('\n');
      } else if (!line.substring(3).isBlank()) {
        expected.add(line.substring(3));
      }
    }
    cases.add(new Case(List.copyOf(expected), source.toString()));
    cases.removeIf(c -> c.expected().isEmpty() && c.source().isEmpty());
    return cases;
  }

  /** The case about an empty source has no lines of its own. */
  private static boolean isComplete(List<String> expected) {
    return expected.size() == 1 && expected.get(0).contains("There is no service");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyProblemIsToldWithItsPlace(Case problem) {
    Compilation compilation = RulesFile.compile(problem.source());
    assertThat(compilation.problems().stream().map(Problem::toString))
        .as(problem.source())
        .containsExactlyElementsOf(problem.expected());
    assertThat(compilation.rules().isPresent()).isEqualTo(compilation.errors().isEmpty());
  }

  @Test
  void whatIsAbsurdlyLargeOrDeepIsRefused() {
    String frame =
        "service cloud.firestore { match /databases/{d}/documents/a/{b} { allow get: if %s; } }";
    assertThat(RulesFile.compile(frame.formatted("(".repeat(200) + "true" + ")".repeat(200)))
            .errors())
        .hasSize(1);
    assertThat(RulesFile.compile(frame.formatted("resource" + ".data".repeat(1_000)))
            .errors())
        .hasSize(1);
    assertThat(RulesFile.compile(frame.formatted("!".repeat(200) + "true")).errors())
        .hasSize(1);
    assertThat(RulesFile.compile(frame.formatted("b == 'c'" + " || b == 'd'".repeat(3_000)))
            .errors())
        .hasSize(1);
    assertThat(
            RulesFile.compile(frame.formatted("true") + " ".repeat(256 * 1024)).errors())
        .hasSize(1);
    assertThat(RulesFile.compile("service cloud.firestore {" + "match /a/{b} {".repeat(11)
                + "allow get;" + "}".repeat(12))
            .errors())
        .isNotEmpty();
  }

  @Test
  void aMissingBraceDoesNotMakeMoreThanTwoProblems() {
    String source = """
        service cloud.firestore {
          function f() { return true; }
          match /databases/{d}/documents {
            match /a/{b} {
              allow get: if f();
            }
            match /c/{e} {
              function g() {
                let h = {'i': [1]};
                return h.i.size() == 1;
              }
              allow list: if g();
            }
          }
        }
        """;
    assertThat(RulesFile.compile(source).problems()).isEmpty();
    for (int at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at + 1)) {
      String without = source.substring(0, at) + source.substring(at + 1);
      assertThat(RulesFile.compile(without).errors()).as(without).hasSizeBetween(1, 2);
    }
    for (int at = source.indexOf('}'); at >= 0; at = source.indexOf('}', at + 1)) {
      String without = source.substring(0, at) + source.substring(at + 1);
      assertThat(RulesFile.compile(without).errors()).as(without).hasSizeBetween(1, 2);
    }
  }

  @Test
  void ofVeryManyProblemsOnlySomeAreTold() {
    String source = "service cloud.firestore { match /databases/{d}/documents/a/{b} {"
        + " allow get: if ;".repeat(1_000) + " } }";
    assertThat(RulesFile.compile(source).errors()).hasSize(20);
  }

  @Test
  void theLimitsOfPathsAreExact() {
    assertThat(errors("{ " + nested(9) + " }")).isEmpty();
    assertThat(errors("{ " + nested(10) + " }"))
        .containsExactly("Matches nest at most 10 levels deep.");
    // Three segments and one wildcard stand before.
    assertThat(errors("/a".repeat(97) + " { allow get; }")).isEmpty();
    assertThat(errors("/a".repeat(98) + " { allow get; }"))
        .containsExactly("A path has at most 100 segments.");
    assertThat(errors(wildcards(19) + " { allow get; }")).isEmpty();
    assertThat(errors(wildcards(20) + " { allow get; }"))
        .containsExactly("A path has at most 20 wildcards.");
  }

  @Test
  void theLimitsOfExpressionsAreExact() {
    assertThat(errors(condition("(".repeat(99) + "b" + ")".repeat(99)))).isEmpty();
    assertThat(errors(condition("(".repeat(100) + "b" + ")".repeat(100)))).hasSize(1);
    assertThat(errors(condition("b" + ".c".repeat(399)))).isEmpty();
    assertThat(errors(condition("b" + ".c".repeat(400)))).hasSize(1);
    // Every element is an expression, and so is the list.
    assertThat(errors(condition("[1" + ", 1".repeat(1_998) + "]"))).isEmpty();
    assertThat(errors(condition("[1" + ", 1".repeat(1_999) + "]"))).hasSize(1);
    String small = "service cloud.firestore {}";
    int left = 256 * 1024 - small.length();
    assertThat(RulesFile.compile(small + " ".repeat(left)).errors()).isEmpty();
    assertThat(RulesFile.compile(small + " ".repeat(left + 1)).errors()).hasSize(1);
  }

  private static List<String> errors(String below) {
    String source = "service cloud.firestore { match /databases/{d}/documents" + below + " }";
    return RulesFile.compile(source).errors().stream().map(Problem::message).toList();
  }

  private static String nested(int levels) {
    return "match /a/b { ".repeat(levels) + "allow get; " + "}".repeat(levels);
  }

  private static String wildcards(int count) {
    return IntStream.range(0, count).mapToObj(i -> "/{w" + i + "}").collect(Collectors.joining());
  }

  private static String condition(String expression) {
    return "/a/{b} { allow get: if " + expression + "; }";
  }
}
