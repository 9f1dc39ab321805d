package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/lock-requirements.md} true: no number is missing, and what proves a row exists. */
class LockRequirementsTest {

  private static final int STATEMENTS = 313;
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/lock-requirements.md");

  private static final Pattern ROW = Pattern.compile("^\\| (\\d[^|]*) \\| [^|]+ \\| ([^|]+) \\|$");
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:–(\\d+))?");
  private static final Pattern TEST =
      Pattern.compile("`(\\w+(?:Test|IT|Contract|Contracts))(?:\\.(\\w+))?`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)");
  private static final Pattern TEST_METHOD =
      Pattern.compile("@(?:Parameterized|Repeated)?Test\\b.*?\\bvoid (\\w+)\\(", Pattern.DOTALL);

  private record Row(String numbers, String proof) {}

  private static List<Row> rows() throws IOException {
    return Files.readString(PAGE)
        .lines()
        .flatMap(line -> ROW.matcher(line).results())
        .map(row -> new Row(row.group(1), row.group(2)))
        .toList();
  }

  private static List<String> testsIn(String source) {
    return TEST_METHOD.matcher(source).results().map(found -> found.group(1)).toList();
  }

  /** Returns the sources of all tests by the names of their classes; several modules may use the same name. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module :
          modules.filter(path -> Files.exists(path.resolve("pom.xml"))).toList()) {
        for (String tree : List.of("src/main/java", "src/test/java")) {
          if (Files.exists(module.resolve(tree))) {
            read(module.resolve(tree), sources);
          }
        }
      }
    }
    return sources;
  }

  private static void read(Path tree, Map<String, String> sources) throws IOException {
    Pattern name = Pattern.compile("(\\w+(?:Test|IT|Contract|Contracts))\\.java");
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.toList()) {
        var matcher = name.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          sources.merge(matcher.group(1), Files.readString(file), String::concat);
        }
      }
    }
  }

  @Test
  void everyStatementIsThereOnce() throws IOException {
    assertThat(rows().stream()
            .flatMap(row -> NUMBERS.matcher(row.numbers()).results())
            .flatMapToInt(LockRequirementsTest::range)
            .sorted()
            .boxed())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, STATEMENTS).boxed().toList());
  }

  private static IntStream range(MatchResult numbers) {
    int first = Integer.parseInt(numbers.group(1));
    return IntStream.rangeClosed(
        first, numbers.group(2) == null ? first : Integer.parseInt(numbers.group(2)));
  }

  @Test
  void everyRowHasATestOrADocument() throws IOException {
    assertThat(rows())
        .allSatisfy(row -> assertThat(
                TEST.matcher(row.proof()).find() || LINK.matcher(row.proof()).find())
            .as(row.numbers())
            .isTrue());
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, String> sources = testSources();
    for (Row row : rows()) {
      for (MatchResult test : TEST.matcher(row.proof()).results().toList()) {
        assertThat(sources).as(row.numbers()).containsKey(test.group(1));
        if (test.group(2) != null) {
          assertThat(testsIn(sources.getOrDefault(test.group(1), "")))
              .as("%s: tests of %s", row.numbers(), test.group(1))
              .contains(test.group(2));
        }
      }
    }
  }

  @Test
  void everyPageThatIsNamedExists() throws IOException {
    for (Row row : rows()) {
      for (MatchResult link : LINK.matcher(row.proof()).results().toList()) {
        assertThat(PAGE.resolveSibling(link.group(1)).normalize())
            .as(row.numbers())
            .exists();
      }
    }
  }
}
