package dev.syncguard.sync.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.syncguard.sync.TeaVm;
import dev.syncguard.sync.simulation.Recordings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The engine that TeaVM has compiled does in a browser, step by step, what the engine on the JVM did in the stories of the
 * simulation.
 *
 * <p>{@code -Dsyncguard.replay.seeds=1000} compares more of them, {@code -Dsyncguard.replay.seed=SEED} begins elsewhere.
 */
@SuppressWarnings("NullAway.Init") // set before all tests
class BrowserReplayIT {

  private static Playwright playwright;
  private static Browser browser;
  private static Page page;

  @BeforeAll
  static void loadTheCompiledEngine(@TempDir Path directory) throws Exception {
    TeaVm.Compiled compiled = TeaVm.compile(BrowserReplay.class, directory);
    assertThat(compiled.problems()).isEmpty();
    playwright = Playwright.create(
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser = playwright
        .chromium()
        .launch(new BrowserType.LaunchOptions()
            .setExecutablePath(Path.of("/usr/bin/chromium"))
            .setChromiumSandbox(false));
    page = browser.newPage();
    page.setDefaultTimeout(600_000);
    page.addScriptTag(
        new Page.AddScriptTagOptions().setContent(Files.readString(compiled.script())));
  }

  @AfterAll
  static void close() {
    browser.close();
    playwright.close();
  }

  @Test
  void theCompiledEngineDoesInABrowserWhatTheEngineDidOnTheJvm() {
    long first = Long.getLong("syncguard.replay.seed", 1);
    long count = Long.getLong("syncguard.replay.seeds", 30);
    for (long seed = first; seed < first + count; seed++) {
      List<String> recordings = Recordings.of(seed);
      List<String> allTheSame = recordings.stream()
          .map(recording -> "same " + recording.lines().count())
          .toList();
      assertThat(replay(recordings))
          .as("Replay: mvn -pl sync -am verify -Dit.test=BrowserReplayIT"
              + " -Dsurefire.failIfNoSpecifiedTests=false -Dsyncguard.replay.seed=" + seed)
          .isEqualTo(allTheSame);
    }
  }

  @Test
  void anEngineThatHearsSomethingElseInTheBrowserIsNoticed() {
    String recording = Recordings.of(3).get(0);
    String changed = recording.replace("?wall\t18", "?wall\t17");

    assertThat(changed).isNotEqualTo(recording);
    assertThat(replay(List.of(changed))).singleElement().asString().contains("but now");
  }

  private static List<String> replay(List<String> recordings) {
    Object outcomes = page.evaluate(
        "async recordings => { window.outcomes = [];"
            + " await new Promise(done => main(recordings, done));"
            + " return window.outcomes; }",
        recordings);
    return ((List<?>) outcomes).stream().map(String::valueOf).toList();
  }
}
