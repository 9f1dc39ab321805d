package dev.syncguard.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site as a browser shows it, opened from disk without any server. */
class SiteInBrowserIT {
  @TempDir
  static Path directory;

  @BeforeAll
  static void write() throws Exception {
    Site.read(Path.of("..").toAbsolutePath().normalize()).write(directory.resolve("site"));
  }

  @Test
  void searchingFindsTheSectionThatIsAbout() throws Exception {
    assertThat(shown("docs/start.html?q=losing+lease"))
        .containsPattern(
            "<ol id=\"results\">\\s*<li><a href=\"[^\"]*docs/guide/failures.html#losing-a-lease\"");
  }

  @Test
  void searchingForNonsenseSaysSo() throws Exception {
    assertThat(shown("index.html?q=zzzxqj")).contains("Nothing has all of these words");
  }

  @Test
  void diagramsAreDrawn() throws Exception {
    assertThat(shown("docs/architecture.html")).containsPattern("<pre class=\"mermaid\"[^>]*><svg");
  }

  private static String shown(String address) throws Exception {
    Path out = directory.resolve("dom.html");
    Process chromium = new ProcessBuilder(
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--allow-file-access-from-files",
            "--user-data-dir=" + directory.resolve("profile"),
            "--virtual-time-budget=20000",
            "--dump-dom",
            directory.resolve("site").toUri() + address)
        .redirectOutput(out.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    assertThat(chromium.waitFor(3, TimeUnit.MINUTES)).isTrue();
    return Files.readString(out, UTF_8);
  }
}
