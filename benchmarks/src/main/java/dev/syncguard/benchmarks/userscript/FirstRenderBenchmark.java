package dev.syncguard.benchmarks.userscript;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitUntilState;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.userscript.demo.DemoForum;
import dev.syncguard.userscript.demo.SampleContent;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** How busy the script keeps the page's main thread until something can be read. Other programs do not change it. */
final class FirstRenderBenchmark {

  private static final String EMPTY = "an empty page";
  private static final String READER = "the reader, until its first post is shown";

  private static final JsonObject PROCESSOR_TIME = new JsonObject();

  static {
    PROCESSOR_TIME.addProperty("timeDomain", "threadTicks");
  }

  private final Topic.Setting setting;
  private final Chromium chromium;

  FirstRenderBenchmark(Topic.Setting setting, Chromium chromium) {
    this.setting = setting;
    this.chromium = chromium;
  }

  Section measure() throws Exception {
    try (FirestoreServer firestore =
            FirestoreServer.builder().port(0).rules(DemoForum.firestoreRules()).start();
        DemoForum forum = DemoForum.over(URI.create("http://" + firestore.emulatorHost()))
            .project("demo-reader")
            .content(SampleContent.before(Instant.now()))
            .start()) {
      Map<String, Callable<Double>> pages = new LinkedHashMap<>();
      pages.put(EMPTY, () -> mainThreadMillis("data:text/html,<p class=pr-item>Nothing</p>"));
      pages.put(READER, () -> mainThreadMillis(forum.url() + "/reader"));
      return section(setting.rounds().run("First render", pages));
    }
  }

  private static Section section(Series<Double> millis) {
    return new Section(
        "First render",
        "Milliseconds of processor time of the page's main thread until the first post could be seen, each time in a new"
            + " profile, so that the script is parsed and compiled anew.",
        List.of("", "ms", "× " + EMPTY),
        millis.names().stream()
            .map(name -> List.of(
                name,
                Numbers.with(millis.of(name, value -> value)),
                Numbers.with(millis.ratio(name, EMPTY, value -> value))))
            .toList(),
        List.of(new Goal(
            "first render × an empty page",
            millis.ratio(READER, EMPTY, value -> value),
            Target.atMost(2.5),
            "a page that paints once, and an engine that begins after that: of 109 ms the script, run cold, takes"
                + " 46, and what is neither it nor the empty page 38, for requests, frames, layout and paint"
                + " (ADR 46)")),
        List.of(new Panel(
            "Milliseconds of the main thread's processor time until the first post",
            millis.names().stream()
                .map(name -> new Bar(name, millis.of(name, value -> value), !name.equals(EMPTY)))
                .toList(),
            Optional.empty())));
  }

  private double mainThreadMillis(String url) {
    try (BrowserContext profile = chromium.newProfile()) {
      profile.addInitScript("if (location.protocol === 'http:')"
          + " localStorage.setItem('gm:power-reader-read-from', '\"2020-01-01T00:00:00.000Z\"');");
      Page page = profile.newPage();
      CDPSession devTools = profile.newCDPSession(page);
      devTools.send("Performance.enable", PROCESSOR_TIME);
      page.navigate(url, new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
      page.locator(".pr-item").first().waitFor();
      return taskSeconds(devTools.send("Performance.getMetrics")) * 1e3;
    }
  }

  private static double taskSeconds(JsonObject metrics) {
    for (JsonElement metric : metrics.getAsJsonArray("metrics")) {
      if (metric.getAsJsonObject().get("name").getAsString().equals("TaskDuration")) {
        return metric.getAsJsonObject().get("value").getAsDouble();
      }
    }
    throw new IllegalStateException("This browser does not tell how busy it was");
  }
}
