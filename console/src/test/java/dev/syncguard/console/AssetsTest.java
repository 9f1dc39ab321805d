package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the page is made of. */
class AssetsTest {

  private static final Path PAGE = Path.of("src/main/resources/dev/syncguard/console/page");

  @Test
  void allFilesAreServedAndTogetherTheyAreSmall() throws IOException {
    try (Stream<Path> files = Files.list(PAGE)) {
      List<Path> all = files.toList();
      assertThat(all.stream().map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(Assets.NAMES);
      long bytes = 0;
      for (Path file : all) {
        bytes += Files.size(file);
      }
      assertThat(bytes).isLessThanOrEqualTo(250_000);
    }
  }

  /** The ways in which a text can become code. */
  @Test
  void noScriptTurnsTextIntoMarkupOrCode() throws IOException {
    for (String name : Assets.NAMES) {
      assertThat(Files.readString(PAGE.resolve(name)))
          .as(name)
          .doesNotContain(
              "innerHTML",
              "outerHTML",
              "insertAdjacentHTML",
              "document.write",
              "eval(",
              "new Function",
              "DOMParser",
              "srcdoc",
              "setHTML",
              "https://",
              "//cdn");
    }
  }

  @Test
  void thePageHasNoScriptOrStyleInside() throws IOException {
    assertThat(Files.readString(PAGE.resolve("index.html")))
        .doesNotContainPattern("<script(?![^>]*src=)|<style|style=|\\son\\w+=");
  }
}
