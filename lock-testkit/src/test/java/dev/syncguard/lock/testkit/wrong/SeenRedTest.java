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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/mutation/seen-red.tsv} and what {@code docs/mutation.md} says of it true. */
class SeenRedTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED_TEST =
      Pattern.compile("`(\\w+(?:Test|IT|Contract|Contracts)\\.\\w+)`");
  private static final Pattern COUNT =
      Pattern.compile("At least (\\d+) of the tests that \\[the requirements]");

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
    Map<String, String> sources = sources();
    assertThat(SeenRed.entries()).isNotEmpty().allSatisfy(entry -> {
      String[] name = entry.test().split("\\.", -1);
      assertThat(String.join("", sources.values())).contains("void " + name[1] + "(");
    });
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
  void thePageBoastsOfNoTestOfARequirementThatWasNotSeenRed() throws IOException {
    Set<String> named = NAMED_TEST
        .matcher(Files.readString(ROOT.resolve("docs/lock-requirements.md")))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
    Set<String> seen =
        SeenRed.entries().stream().map(SeenRed.Entry::test).collect(Collectors.toSet());
    MatchResult told = COUNT
        .matcher(Files.readString(ROOT.resolve("docs/mutation.md")))
        .results()
        .findFirst()
        .orElseThrow();
    assertThat(named.stream().filter(seen::contains).count())
        .isGreaterThanOrEqualTo(Long.parseLong(told.group(1)));
  }
}
