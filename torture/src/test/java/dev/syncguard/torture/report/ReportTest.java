package dev.syncguard.torture.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.FaultPlan;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.history.Bounds;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Judge;
import dev.syncguard.torture.history.Story;
import dev.syncguard.torture.questions.Answer;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {

  private static final About ABOUT = new About(
      "redis <7>", "2026-01-01T00:00:00Z", "syncguard torture --seed 7", "2 fence counters");

  @TempDir
  Path directory;

  private static Outcome outcome() {
    Story story = new Story();
    story.lease(0, 0, 100, 1).promise(110, 3000).write(120, true).release(300, 310, Ending.ENDED);
    story.lease(1, 50, 400, 2).promise(410, 3000).release(600, 610, Ending.ENDED);
    story
        .lease(2, 650, 700, 2)
        .promise(710, 3000)
        .write(720, false)
        .release(900, 910, Ending.ENDED);
    story.hurt("kill", 1, 950, 960);
    story.lease(1, 1000, 1200, 3).release(1300, 1310, Ending.ENDED);
    Settings settings = Settings.of(Duration.ofSeconds(2), 7, "torture:");
    Bounds bounds =
        new Bounds(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(10), true);
    return new Outcome(
        settings,
        new FaultPlan(7, List.of()),
        0,
        2_000_000_000L,
        story.events(),
        Judge.violations(story.events(), bounds),
        Map.of(FaultKind.KILL, 1),
        Map.of(FaultKind.CLOCK, "there is no other clock"),
        bounds,
        List.of(
            new Answer("Fences rise", Answer.Verdict.KEPT, "", ""),
            new Answer("Leases <end>", Answer.Verdict.OPEN, "", "nobody waited")));
  }

  private String write(String name) throws Exception {
    Report.write(directory, outcome(), ABOUT);
    return Files.readString(directory.resolve(name));
  }

  @Test
  void thePageTellsWhatWasBrokenWithTheHistoryAroundIt() throws Exception {
    String page = write(Report.PAGE);
    assertThat(page)
        .contains("1 broken promise")
        .contains("Fence 2 went to worker 1 and then to worker 2")
        .contains("granted 2 key")
        .contains("there is no other clock")
        .contains("1 of 2 answers were as promised")
        .contains("Fences rise</td><td>as promised")
        .contains("Leases &lt;end&gt;</td><td>not known: nobody waited")
        .contains("syncguard torture --seed 7")
        .contains("redis &lt;7&gt;");
  }

  @Test
  void thePageAsksNobodyForAnything() throws Exception {
    assertThat(write(Report.PAGE))
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script");
  }

  @Test
  void thePicturesAreWellFormed() throws Exception {
    Matcher pictures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(write(Report.PAGE));
    int count = 0;
    while (pictures.find()) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(pictures.group())));
      count++;
    }
    assertThat(count).isEqualTo(3);
  }

  @Test
  void theDataSayTheSame() throws Exception {
    assertThat(write(Report.DATA))
        .startsWith("{\"ok\":false,\"store\":\"redis <7>\"")
        .contains("\"seed\":7")
        .contains("\"operations\":8")
        .contains("\"grants\":4")
        .contains("\"lateWritesRefused\":1")
        .contains("\"faults\":{\"kill\":1}")
        .contains(
            "\"questions\":{\"kept\":1,\"broken\":0,\"open\":{\"Leases <end>\":\"nobody waited\"}}")
        .contains("\"kind\":\"REPEATED_FENCE\"")
        .contains("\"recoveryMs\":{\"kill\":{\"count\":1,\"p50\":240.000");
  }

  @Test
  void quantilesAreThoseOfTheSortedValues() {
    Sample sample = new Sample(List.of(5.0, 1.0, 3.0, 2.0, 4.0));
    assertThat(sample.quantile(0.5)).isEqualTo(3.0);
    assertThat(sample.max()).isEqualTo(5.0);
    assertThat(new Sample(List.of()).max()).isZero();
    assertThat(sample.histogram())
        .containsExactly(
            new Sample.Bucket("< 1 ms", 0),
            new Sample.Bucket("< 2 ms", 1),
            new Sample.Bucket("< 5 ms", 3),
            new Sample.Bucket("< 10 ms", 1));
  }
}
