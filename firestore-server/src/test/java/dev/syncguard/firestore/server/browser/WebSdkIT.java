package dev.syncguard.firestore.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.NpmProject;
import dev.syncguard.firestore.server.browser.SdkPages.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Firebase's web SDK, three major versions of it, works in real browsers with the lines that apps already have, and whether
 * it streams, polls, or finds out that it must poll. Both browsers run at the same time.
 */
@Timeout(1200)
class WebSdkIT {
  private static final List<String> VERSIONS = List.of("12", "11", "10");
  private static final List<String> POLLING = List.of("auto", "forced", "buffered");
  private static final int SCENARIOS = 35;

  /** A browser with its pages and its servers. */
  private record Opened(List<SdkRun> runs, SdkPages pages, HeadlessBrowser browser)
      implements AutoCloseable {
    static Opened open(HeadlessBrowser.Kind kind, Path scripts) throws Exception {
      List<SdkRun> runs = new ArrayList<>();
      for (String version : VERSIONS) {
        for (String polling : POLLING) {
          runs.add(new SdkRun(version, polling));
        }
      }
      SdkPages pages = new SdkPages(scripts, runs);
      return new Opened(runs, pages, new HeadlessBrowser(kind, scripts, pages.start()));
    }

    Report next() throws Exception {
      Report report = pages.reports().poll(300, TimeUnit.SECONDS);
      if (report == null) {
        throw new AssertionError("The browser reports nothing any more, and is "
            + (browser.isAlive() ? "alive" : "dead") + ":\n" + browser.output());
      }
      return report;
    }

    @Override
    public void close() throws Exception {
      browser.close();
      pages.close();
      for (SdkRun run : runs) {
        run.close();
      }
    }
  }

  private static final Map<HeadlessBrowser.Kind, Opened> BROWSERS =
      new EnumMap<>(HeadlessBrowser.Kind.class);

  @BeforeAll
  static void openBrowsers() throws Exception {
    NpmProject npm = NpmProject.install("browser", "page.js", "scenarios.js", "api.js");
    for (String version : VERSIONS) {
      bundle(npm, "page.js", version, "page-" + version + ".js");
    }
    Files.writeString(npm.directory().resolve("sample.js"), sampleOfTheManual());
    bundle(npm, "sample.js", VERSIONS.get(0), "page-0.js");
    for (HeadlessBrowser.Kind kind : HeadlessBrowser.Kind.values()) {
      BROWSERS.put(kind, Opened.open(kind, npm.directory()));
    }
  }

  /** Bundles a program with one version of the SDK. */
  static void bundle(
      NpmProject npm, String program, String version, String output, String... options)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(
        "node_modules/.bin/esbuild",
        program,
        "--bundle",
        "--log-level=warning",
        "--alias:@firebase/app=app-" + version,
        "--alias:firebase/app=app-" + version,
        "--alias:firebase/firestore=firestore-" + version,
        "--outfile=" + output));
    command.addAll(List.of(options));
    npm.run("esbuild could not bundle " + program, new ProcessBuilder(command));
  }

  /** Returns what our manual shows, for a server at the port that the address of the page names. */
  private static String sampleOfTheManual() throws IOException {
    String manual = Files.readString(Path.of("..", "docs", "firestore-server.md"));
    int start = manual.indexOf("```js browser\n") + "```js browser\n".length();
    String sample = manual.substring(start, manual.indexOf("```", start));
    assertThat(sample).contains("connectFirestoreEmulator(db, '127.0.0.1', 8080)");
    return sample.replace("8080", "Number(location.search.split(':')[1])");
  }

  @AfterAll
  static void closeBrowsers() throws Exception {
    for (Opened opened : BROWSERS.values()) {
      opened.close();
    }
  }

  @ParameterizedTest
  @EnumSource(HeadlessBrowser.Kind.class)
  void whatAppsDoWithTheWebSdkWorks(HeadlessBrowser.Kind kind) throws Exception {
    Opened opened = Objects.requireNonNull(BROWSERS.get(kind));
    for (SdkRun run : opened.runs()) {
      Map<String, String> failures = new LinkedHashMap<>();
      for (Report report = opened.next(); !report.isEnd(); report = opened.next()) {
        assertThat(report.run()).isEqualTo(run.name());
        failures.put(report.scenario(), report.failure());
      }
      assertThat(failures).hasSize(run.isBuffered() ? SdkRun.BUFFERED.size() : SCENARIOS);
      assertThat(failures)
          .allSatisfy((scenario, failure) ->
              assertThat(failure).as(kind + ", " + run.name() + ": " + scenario).isEmpty());
    }
  }
}
