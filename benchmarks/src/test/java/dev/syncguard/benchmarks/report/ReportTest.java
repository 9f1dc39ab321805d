package dev.syncguard.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.benchmarks.measure.Quartiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class ReportTest {

  @TempDir
  Path directory;

  @Test
  void aTargetIsMetIfTheWorseQuartileKeepsIt() {
    Target target = Target.atLeast(0.7);

    assertThat(target.verdict(new Quartiles(0.7, 0.8, 0.9))).isEqualTo("met");
    assertThat(target.verdict(new Quartiles(0.63, 0.8, 0.9)))
        .isEqualTo("met by the median; the worse quartile misses by 10 %");
    assertThat(target.verdict(new Quartiles(0.3, 0.35, 0.9))).isEqualTo("**missed** by 50 %");
    assertThat(target).hasToString("≥ 0.70");
  }

  @Test
  void anUpperBoundLooksAtTheOtherQuartile() {
    assertThat(Target.atMost(2).verdict(new Quartiles(1, 1.5, 2))).isEqualTo("met");
    assertThat(Target.below(2).verdict(new Quartiles(1, 1.5, 3)))
        .isEqualTo("met by the median; the worse quartile misses by 50 %");
    assertThat(Target.below(2).verdict(new Quartiles(1, 3, 3))).isEqualTo("**missed** by 50 %");
  }

  @Test
  void aMissedTargetComesWithWhatItWouldTake() {
    Target target = Target.atLeast(0.7);

    assertThat(new Goal("pairs", new Quartiles(0.3, 0.35, 0.9), target, "less work").verdict())
        .isEqualTo("**missed** by 50 %. What it would take: less work");
    assertThat(new Goal("pairs", new Quartiles(0.63, 0.8, 0.9), target, "less work").verdict())
        .isEqualTo("met by the median; the worse quartile misses by 10 %."
            + " What it would take: less work");
    assertThat(new Goal("pairs", new Quartiles(0.7, 0.8, 0.9), target, "less work").verdict())
        .isEqualTo("met");
  }

  @Test
  void aReportIsAPageWithTablesAndAChart() throws Exception {
    report("fast & <faster>").write(directory);

    String page = Files.readString(directory.resolve("store.md"));
    assertThat(page)
        .contains("| pairs | 0.80 [0.70–0.90] | ≥ 0.70 | met |")
        .contains("| ours | 1,234 |")
        .contains("- 2 cores")
        .contains("(store.svg)");
  }

  @Test
  void aChartIsWellFormedWhateverItsLabelsSay() throws Exception {
    report("fast & <faster>").write(directory);

    Document svg = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(directory.resolve("store.svg").toFile());
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("fast & <faster>")
        .contains("target ≥ 0.70");
  }

  @Test
  void aChartDrawsEverythingInsideItsFrame() throws Exception {
    report("ours").write(directory);

    Document svg = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(directory.resolve("store.svg").toFile());
    double width = Double.parseDouble(svg.getDocumentElement().getAttribute("width"));
    var bars = svg.getElementsByTagName("rect");
    assertThat(bars.getLength()).isEqualTo(3);
    for (int i = 0; i < bars.getLength(); i++) {
      var attributes = bars.item(i).getAttributes();
      double x = attributes.getNamedItem("x") == null
          ? 0
          : Double.parseDouble(attributes.getNamedItem("x").getNodeValue());
      double length = Double.parseDouble(attributes.getNamedItem("width").getNodeValue());
      assertThat(x + length).isLessThanOrEqualTo(width);
    }
  }

  @Test
  void growthIsDrawnAsLinesInsideTheFrame() throws Exception {
    growth(line("flat", 10, 1000, 1_000_000), line("one <point>", 100)).write(directory);

    Document svg = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(directory.resolve("store.svg").toFile());
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("one <point>")
        .contains("1,000,000")
        .contains("locks held");
    double width = Double.parseDouble(svg.getDocumentElement().getAttribute("width"));
    double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
    var points = svg.getElementsByTagName("circle");
    assertThat(points.getLength()).isEqualTo(4);
    for (int i = 0; i < points.getLength(); i++) {
      var attributes = points.item(i).getAttributes();
      assertThat(Double.parseDouble(attributes.getNamedItem("cx").getNodeValue()))
          .isBetween(0.0, width);
      assertThat(Double.parseDouble(attributes.getNamedItem("cy").getNodeValue()))
          .isBetween(0.0, height);
    }
  }

  @Test
  void aLineThatOnlySeesNothingIsDrawnToo() throws Exception {
    Growth.Line zero =
        new Growth.Line("idle", List.of(new Growth.Point(1, new Quartiles(0, 0, 0))));
    growth(zero).write(directory);

    assertThat(Files.readString(directory.resolve("store.svg"))).doesNotContain("NaN");
  }

  @Test
  void aSizeBelowOneHasNoPlaceOnTheScale() {
    assertThatThrownBy(() -> new Growth.Point(0, new Quartiles(1, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Growth.Line line(String label, double... sizes) {
    return new Growth.Line(
        label,
        Arrays.stream(sizes)
            .mapToObj(size -> new Growth.Point(size, new Quartiles(1, 2, 3)))
            .toList());
  }

  private static Report growth(Growth.Line... lines) {
    return new Report(
        "store",
        "A store",
        List.of("2 cores"),
        List.of(new Section(
            "Growth",
            "What was done.",
            List.of("", "µs"),
            List.of(),
            List.of(),
            List.of(new Growth("Growth: µs", "locks held", List.of(lines))))));
  }

  @Test
  void aRowThatDoesNotFitItsHeaderIsRefused() {
    assertThatThrownBy(() -> new Section(
            "odd", "", List.of("one", "two"), List.of(List.of("one")), List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("odd");
  }

  private static Report report(String label) {
    Quartiles measured = new Quartiles(0.7, 0.8, 0.9);
    Target target = Target.atLeast(0.7);
    return new Report(
        "store",
        "A store",
        List.of("2 cores"),
        List.of(new Section(
            "Pairs",
            "What was done.",
            List.of("", "per second"),
            List.of(List.of("ours", Numbers.plain(1234))),
            List.of(new Goal("pairs", measured, target)),
            List.of(new Panel(
                "Pairs × limit",
                List.of(
                    new Bar("limit", new Quartiles(1, 1, 1), false),
                    new Bar(label, measured, true)),
                Optional.of(target))))));
  }
}
