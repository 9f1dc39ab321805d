package dev.syncguard.benchmarks.sync;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/** What the day of a reader costs: requests, bytes and computing, by how much there is to keep. */
final class DayBenchmark {

  private static final List<Integer> SIZES = List.of(100, 1_000, 5_000);
  private static final Target LESS = Target.atMost(1.0);
  private static final double DEVICES = 2;

  private final Topic.Setting setting;

  DayBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    Map<String, Callable<ReaderDay.Cost>> days = new LinkedHashMap<>();
    for (int size : SIZES) {
      days.put(name(true, size), () -> new ReaderDay(true, size).live());
      days.put(name(false, size), () -> new ReaderDay(false, size).live());
    }
    Series<ReaderDay.Cost> series = setting.contests().run("A reader's day", days);
    List<List<String>> rows = new ArrayList<>();
    List<Bar> bytes = new ArrayList<>();
    List<Bar> speed = new ArrayList<>();
    for (String day : series.names()) {
      Quartiles down = perDevice(series, day, cost -> cost.bytesDown() / 1024.0);
      Quartiles perSecond = series.of(day, cost -> DEVICES * 1000 / cost.cpuMillis());
      rows.add(List.of(
          day,
          Numbers.plain(perDevice(series, day, ReaderDay.Cost::reads).median()),
          Numbers.plain(perDevice(series, day, ReaderDay.Cost::probes).median()),
          Numbers.plain(perDevice(series, day, ReaderDay.Cost::writes).median()),
          Numbers.plain(down.median()),
          Numbers.plain(perDevice(series, day, cost -> cost.bytesUp() / 1024.0).median()),
          Numbers.with(perSecond)));
      bytes.add(new Bar(day, down, day.startsWith("probe")));
      speed.add(new Bar(day, perSecond, day.startsWith("probe")));
    }
    int largest = SIZES.get(SIZES.size() - 1);
    Quartiles saved =
        series.ratio(name(true, largest), name(false, largest), cost -> (double) cost.bytesDown());
    return new Section(
        "A reader's day",
        "Two devices of one reader for 24 virtual hours: three hours on the desktop with a mark every half"
            + " minute and a preference every twenty minutes, and six glances of five minutes on the telephone,"
            + " with so many marks, and a tenth as many preferences, in the document from before. A *probe* asks"
            + " before a background pull whether anything changed. Requests and bytes are those of one device,"
            + " half of what both take together, and the same in every run; *device-days per second* is how many"
            + " days of one device the engine lives through in a second of one core, the counting server"
            + " included.",
        List.of(
            "",
            "full reads",
            "probes",
            "writes",
            "KB received",
            "KB sent",
            "device-days per CPU second"),
        rows,
        List.of(
            new Goal("bytes received with the probe × without, " + words(largest), saved, LESS)),
        List.of(
            new Panel("KB received in a day of one device", bytes, Optional.empty()),
            new Panel("Device-days per CPU second", speed, Optional.empty())));
  }

  private static Quartiles perDevice(
      Series<ReaderDay.Cost> series, String day, ToDoubleFunction<ReaderDay.Cost> figure) {
    return series.of(day, cost -> figure.applyAsDouble(cost) / DEVICES);
  }

  private static String name(boolean probe, int size) {
    return (probe ? "probe, " : "no probe, ") + words(size);
  }

  private static String words(int size) {
    return String.format("%,d marks", size);
  }
}
