package dev.syncguard.benchmarks.userscript;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitUntilState;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.userscript.demo.DemoForum;
import dev.syncguard.userscript.demo.ForumContent;
import dev.syncguard.userscript.demo.SampleContent;
import dev.syncguard.userscript.demo.Writing;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** How long the page does not listen to its user at a time, while a full page of comments is built. */
final class LongTasksBenchmark {

  private static final String FULL = "a page of 800 comments, until its end is shown";
  private static final int COMMENTS = 800;

  /** Browsers tell of tasks that take 50 ms or more. */
  private static final String LONGEST = "window.longest = 0; new PerformanceObserver(list =>"
      + " list.getEntries().forEach(task => longest = Math.max(longest, task.duration)))"
      + ".observe({type: 'longtask', buffered: true});";

  private final Topic.Setting setting;
  private final Chromium chromium;

  LongTasksBenchmark(Topic.Setting setting, Chromium chromium) {
    this.setting = setting;
    this.chromium = chromium;
  }

  Section measure() throws Exception {
    try (FirestoreServer firestore =
            FirestoreServer.builder().port(0).rules(DemoForum.firestoreRules()).start();
        DemoForum forum = DemoForum.over(URI.create("http://" + firestore.emulatorHost()))
            .project("demo-reader")
            .content(manyComments())
            .start()) {
      Map<String, Callable<Double>> pages = new LinkedHashMap<>();
      pages.put(FULL, () -> longestTaskMillis(forum.url() + "/reader"));
      return section(setting.rounds().run("Longest task", pages));
    }
  }

  private static ForumContent manyComments() {
    ForumContent content = SampleContent.before(Instant.now());
    String post = "pOsTcLoCkSaBcDeFg";
    for (int i = 0; i < COMMENTS; i++) {
      content.add(new Writing(
          String.format("cOmMeNtMaNy%06d", i),
          "jonas",
          Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i),
          1,
          post,
          null,
          null,
          "<p>A comment of <em>ordinary</em> length, with a <a href='/posts/x'>link</a>.</p>"
              .repeat(4)));
    }
    return content;
  }

  private static Section section(Series<Double> millis) {
    return new Section(
        "Longest task",
        "The longest piece of work on the page's main thread, in milliseconds. Browsers tell of pieces of 50 ms or"
            + " more; 0 means that there was none.",
        List.of("", "ms"),
        millis.names().stream()
            .map(name -> List.of(name, Numbers.with(millis.of(name, value -> value))))
            .toList(),
        List.of(new Goal(
            "ms of the longest task while 800 comments are shown",
            millis.of(FULL, value -> value),
            Target.atMost(50))),
        List.of());
  }

  private double longestTaskMillis(String url) {
    try (BrowserContext profile = chromium.newProfile()) {
      profile.addInitScript("if (location.protocol === 'http:')"
          + " localStorage.setItem('gm:power-reader-read-from', '\"2020-01-01T00:00:00.000Z\"');"
          + LONGEST);
      Page page = profile.newPage();
      page.navigate(url, new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
      page.locator("#pr-bottom-message").waitFor();
      return ((Number) page.evaluate("longest")).doubleValue();
    }
  }
}
