package dev.syncguard.benchmarks.userscript;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.sync.FullEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What a merge costs in a browser, against what somebody would write in JavaScript for the same data. */
final class BrowserMergeBenchmark {

  private static final int MARKS = 10_000;
  private static final int AUTHORS = 1_000;
  private static final String COMPILED = "the engine, compiled";
  private static final String BY_HAND = "JavaScript by hand";
  private static final Target TARGET = Target.atMost(1.3);
  private static final String TAKES =
      "the browser's own `Set` and `Map` below the engine: it keeps marks and preferences in Java's linked sets and maps,"
          + " which TeaVM compiles along with everything else";

  private final Topic.Setting setting;
  private final Chromium chromium;

  BrowserMergeBenchmark(Topic.Setting setting, Chromium chromium) {
    this.setting = setting;
    this.chromium = chromium;
  }

  Section measure() throws Exception {
    FullEnvelope envelope = new FullEnvelope(MARKS, AUTHORS);
    try (BrowserContext profile = chromium.newProfile()) {
      Page page = profile.newPage();
      load(page, MergeScript.compile(setting.files().inMemory("merge-script")));
      load(page, resource("merge.js"));
      page.evaluate(
          "async ([marks, authors]) => await new Promise(done => main([marks, authors], done))",
          List.of(String.valueOf(MARKS), String.valueOf(AUTHORS)));
      page.evaluate("json => handWrittenMerge.take(JSON.parse(json))", envelope.json());
      Map<String, Callable<Double>> merges = new LinkedHashMap<>();
      merges.put(COMPILED, () -> microsEach(page, "compiledMerge()", envelope.merge()));
      merges.put(BY_HAND, () -> microsEach(page, "handWrittenMerge.merge()", envelope.merge()));
      return section(setting.rounds().run("Merge in the browser", merges));
    }
  }

  private static Section section(Series<Double> micros) {
    Quartiles ratio = micros.ratio(COMPILED, BY_HAND, value -> value);
    return new Section(
        "Merge in the browser",
        String.format(
            "A device merges a document of %,d marks and %,d preferences, of which it lacks a tenth and has one mark"
                + " of its own, with two preferences changed. By hand: the same rules with a `Set` and a `Map`.",
            MARKS, AUTHORS),
        List.of("", "µs", "× " + BY_HAND),
        micros.names().stream()
            .map(name -> List.of(
                name,
                Numbers.with(micros.of(name, value -> value)),
                Numbers.with(micros.ratio(name, BY_HAND, value -> value))))
            .toList(),
        List.of(
            new Goal("merge of a full envelope in Chromium × " + BY_HAND, ratio, TARGET, TAKES)),
        List.of(new Panel(
            "Merge × " + BY_HAND, List.of(new Bar(COMPILED, ratio, true)), Optional.of(TARGET))));
  }

  /** Repeats a merge for a slice of time. All must come to the same result, or they did not do the same. */
  private double microsEach(Page page, String merge, int size) {
    List<?> measured = (List<?>) page.evaluate(
        "millis => { const start = performance.now(); let times = 0, size = 0, now;"
            + " do { size = " + merge + "; times++; now = performance.now(); }"
            + " while (now < start + millis);"
            + " return [size, (now - start) * 1e3 / times]; }",
        (double) setting.pace().slice().toMillis());
    if (((Number) measured.get(0)).intValue() != size) {
      throw new IllegalStateException(
          merge + " came to " + measured.get(0) + " entries instead of " + size);
    }
    return ((Number) measured.get(1)).doubleValue();
  }

  private static void load(Page page, String script) {
    page.addScriptTag(new Page.AddScriptTagOptions().setContent(script));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = BrowserMergeBenchmark.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
