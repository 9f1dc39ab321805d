package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code docs/sync-requirements.md} true: each requirement and each test of the plan is a tag on a test, or is
 * listed as due elsewhere with a reason.
 *
 * <p>After adding tags, write the page anew with {@code -Dsync.requirements.write=true}.
 */
@NullUnmarked
class RequirementsTest {

  private static final int PLAN_TESTS = 135;
  private static final Pattern TAG = Pattern.compile("@Tag\\(\"(PR-PERSIST-\\d\\d|T\\d+)\"\\)");
  private static final Pattern METHOD =
      Pattern.compile("^\\s+(?:public )?(?:final )?void (\\w+)\\(");

  private record Due(String where, String why) {}

  private final Path root = root();
  private final Map<String, String> titles = new LinkedHashMap<>();
  private final Map<String, Due> due = new LinkedHashMap<>();
  private final Map<String, Set<String>> tests = new TreeMap<>();
  private final Map<String, Set<String>> browserTests = new TreeMap<>();

  RequirementsTest() throws IOException {
    for (String line : resource("requirements.txt")) {
      String[] parts = line.split(" \\| ", 2);
      titles.put(parts[0], parts[1]);
    }
    for (String line : resource("requirements-due.txt")) {
      String[] parts = line.split(" \\| ", 3);
      due.put(parts[0], new Due(parts[1], parts[2]));
    }
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path sources = module.resolve("src/test/java");
        if (Files.isDirectory(sources)) {
          scan(sources, module.getFileName().toString().equals("sync-userscript"));
        }
      }
    }
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("verify"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static List<String> resource(String name) throws IOException {
    try (var in = RequirementsTest.class.getResourceAsStream("/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private void scan(Path sources, boolean browser) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file :
          files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        String type = file.getFileName().toString().replace(".java", "");
        List<String> tags = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
          Matcher tag = TAG.matcher(line);
          while (tag.find()) {
            tags.add(tag.group(1));
          }
          Matcher method = METHOD.matcher(line);
          if (method.find()) {
            String test = type + "." + method.group(1);
            for (String each : tags) {
              tests.computeIfAbsent(each, any -> new TreeSet<>()).add(test);
              if (browser) {
                browserTests.computeIfAbsent(each, any -> new TreeSet<>()).add(test);
              }
            }
            tags.clear();
          }
        }
      }
    }
  }

  private List<String> ids() {
    List<String> ids = new ArrayList<>(titles.keySet());
    for (int i = 1; i <= PLAN_TESTS; i++) {
      ids.add("T" + i);
    }
    return ids;
  }

  @Test
  void everyRequirementAndEveryTestOfThePlanIsProvedOrDueForAReason() {
    assertThat(titles).hasSize(83);
    for (String id : ids()) {
      assertThat(tests.containsKey(id) || due.containsKey(id))
          .as(id + " has no test and is not listed in requirements-due.txt")
          .isTrue();
    }
    assertThat(ids()).containsAll(tests.keySet()).containsAll(due.keySet());
  }

  @Test
  void nothingIsCalledDueThatIsDone() {
    due.forEach((id, entry) -> {
      boolean done =
          entry.where().equals("browser") ? browserTests.containsKey(id) : tests.containsKey(id);
      assertThat(done)
          .as(id + " has its test: take it off requirements-due.txt")
          .isFalse();
    });
  }

  @Test
  void thePageSaysWhatIsTrue() throws IOException {
    Path page = root.resolve("docs/sync-requirements.md");
    if (Boolean.getBoolean("sync.requirements.write")) {
      Files.writeString(page, text());
    }
    assertThat(Files.readString(page))
        .as(
            "Run: mvn test -pl sync -am -Dtest=RequirementsTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dsync.requirements.write=true")
        .isEqualTo(text());
  }

  private String text() {
    StringBuilder out = new StringBuilder();
    out.append("# Reader sync: what it must do, and what proves it\n\n");
    out.append(
        "Generated by `RequirementsTest` from the tags on the tests; the build fails when a row has no test, or when\n");
    out.append(
        "this page is out of date. All tests listed here are green whenever `./verify` is. Rows that are due elsewhere\n");
    out.append(
        "say where and why. Which of these tests were seen red when the code was broken on purpose, and by what, is\n");
    out.append("listed in [seen-red.tsv](mutation/seen-red.tsv).\n\n");
    out.append("| requirement | what | tests |\n|---|---|---|\n");
    titles.forEach((id, title) -> out.append("| ")
        .append(id)
        .append(" | ")
        .append(title)
        .append(" | ")
        .append(proofs(id))
        .append(" |\n"));
    out.append("\n## The tests that the plan lists\n\n| number | tests |\n|---|---|\n");
    for (int i = 1; i <= PLAN_TESTS; i++) {
      out.append("| ").append(i).append(" | ").append(proofs("T" + i)).append(" |\n");
    }
    return out.toString();
  }

  private String proofs(String id) {
    List<String> proofs = new ArrayList<>();
    tests.getOrDefault(id, Set.of()).forEach(test -> proofs.add("`" + test + "`"));
    Due entry = due.get(id);
    if (entry != null) {
      proofs.add("*due (" + entry.where() + "): " + entry.why() + "*");
    }
    return String.join("<br>", proofs);
  }
}
