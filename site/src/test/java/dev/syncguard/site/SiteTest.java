package dev.syncguard.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this repository, judged by the files that were written. */
class SiteTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern FETCHED = Pattern.compile(
      "(?:<(?:script|img|iframe|source)[^>]*\\ssrc|<link[^>]*\\shref)=\"([a-z]+:|//)[^\"]*\"");

  @TempDir
  static Path written;

  @BeforeAll
  static void write() throws IOException {
    Site.read(ROOT).write(written);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(written)) {
      return files.filter(file -> file.toString().endsWith(".html")).toList();
    }
  }

  @Test
  void everyLinkLeadsToAFileAndItsAnchor() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      REFERENCE
          .matcher(Files.readString(page))
          .results()
          .map(match -> match.group(1))
          .forEach(reference -> {
            if (!reference.contains(":") && !leadsSomewhere(page, reference)) {
              broken.add(written.relativize(page) + " → " + reference);
            }
          });
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String reference) {
    String[] parts = reference.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    try {
      return Files.isRegularFile(file)
          && (parts.length == 1 || Files.readString(file).contains("id=\"" + parts[1] + "\""));
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void nothingIsFetchedFromElsewhere() throws IOException {
    for (Path page : pages()) {
      assertThat(Files.readString(page)).as("%s", page).doesNotContainPattern(FETCHED);
    }
    for (String asset : List.of("style.css", "theme.js", "site.js")) {
      assertThat(Files.readString(written.resolve("assets").resolve(asset)))
          .doesNotContain("http:", "https:", "@import", "url(");
    }
  }

  @Test
  void thePartsStandInTheirOrder() throws IOException {
    assertThat(Site.read(ROOT).navigation().groups())
        .extracting(Navigation.Group::name)
        .containsSubsequence(
            "Start", "Guide", "Stores", "Operating", "Embedded Firestore", "Reader", "Decisions");
  }

  @Test
  void everyGuideAndDecisionIsReachedFromTheStart() throws IOException {
    List<Path> seen = new ArrayList<>(List.of(written.resolve("index.html")));
    for (int i = 0; i < seen.size(); i++) {
      Path page = seen.get(i);
      REFERENCE.matcher(Files.readString(page)).results().forEach(match -> {
        Path next = page.resolveSibling(match.group(1).replaceFirst("#.*", "")).normalize();
        if (next.toString().endsWith(".html") && Files.exists(next) && !seen.contains(next)) {
          seen.add(next);
        }
      });
    }
    List<Path> unreached = new ArrayList<>(pages());
    unreached.removeAll(seen);
    assertThat(unreached).isEmpty();
  }

  @Test
  void everyHeadingCanBeFound() throws IOException {
    String index = Files.readString(written.resolve("assets/search-index.js"));
    for (String heading : List.of("Losing a lease", "Several keys", "Five minutes", "Fences")) {
      assertThat(index).contains("\"" + heading + "\"");
    }
    assertThat(index.lines().filter(line -> line.startsWith("["))).hasSizeGreaterThan(200);
  }

  @Test
  void aLinkThatLeadsNowhereEndsTheBuild(@TempDir Path repository) throws IOException {
    for (String directory : List.of("docs", "examples", "benchmarks/results", "lock-testkit")) {
      Files.createDirectories(repository.resolve(directory));
    }
    Files.writeString(
        repository.resolve("docs/README.md"),
        "# Docs\n\n**Start**: [gone](gone.md), [here](#nowhere)\n");
    assertThatThrownBy(() -> Site.read(repository).write(repository.resolve("site")))
        .hasMessageContaining("docs/README.md: gone.md")
        .hasMessageContaining("docs/README.md: #nowhere");
  }
}
