package dev.syncguard.lock.testkit.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/mutation/seen-red.tsv} true, and complete for what proves a requirement. */
class SeenRedTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED_TEST =
      Pattern.compile("`(\\w+(?:Test|IT|Contract|Contracts)(?:\\.\\w+)?)`");

  private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\(");

  private static String method(SeenRed.Entry entry) {
    return entry.test().substring(entry.test().indexOf('.') + 1);
  }

  /** Returns the sources of all modules by the simple names of their types; several modules may use the same name. */
  private static Map<String, String> sources() throws IOException {
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
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }

  private static Set<String> scripts() throws IOException {
    Set<String> names = new HashSet<>();
    for (String module : List.of("lock-redis", "lock-jdbc")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/resources"))) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      }
    }
    return names;
  }

  @Test
  void everyTestThatWasSeenRedStillExists() throws IOException {
    Set<String> methods = sources().values().stream()
        .flatMap(source -> METHOD.matcher(source).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
    assertThat(SeenRed.entries())
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(methods).as(entry.test()).contains(method(entry)));
    assertThat(SeenRed.entries()).extracting(SeenRed.Entry::test).doesNotHaveDuplicates();
  }

  @Test
  void whatTurnedItRedStillExists() throws IOException {
    Map<String, String> sources = sources();
    Set<String> files = scripts();
    assertThat(SeenRed.entries()).allSatisfy(entry -> {
      assertThat(entry.by()).isIn(SeenRed.WRONG_BACKEND, SeenRed.MUTANT);
      if (entry.by().equals(SeenRed.WRONG_BACKEND)) {
        assertThat(Wrong.named(entry.what()).noticedBy()).isNotEmpty();
      } else {
        String place = entry.what().substring(0, entry.what().indexOf(' '));
        if (place.matches(".*\\.(lua|sql):\\d+")) {
          assertThat(files).contains(place.substring(0, place.indexOf(':')));
          return;
        }
        String type = place.substring(0, place.lastIndexOf('.')).replaceFirst("\\$.*", "");
        assertThat(sources).containsKey(type.substring(type.lastIndexOf('.') + 1));
      }
    });
  }

  @Test
  void everyTestThatARequirementNamesWasSeenRed() throws IOException {
    List<String> seen = SeenRed.entries().stream().map(SeenRed.Entry::test).toList();
    Set<String> named = Files.readAllLines(ROOT.resolve("docs/lock-requirements.md")).stream()
        .filter(line -> line.startsWith("| "))
        .flatMap(row -> NAMED_TEST.matcher(row).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
    assertThat(named).hasSizeGreaterThan(200);
    // A class without a method stands for all that it tests.
    assertThat(named)
        .allSatisfy(test -> assertThat(seen)
            .as(test)
            .anyMatch(red -> red.equals(test) || red.startsWith(test + ".")));
  }
}
