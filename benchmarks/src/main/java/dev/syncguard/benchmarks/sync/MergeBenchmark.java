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
import dev.syncguard.sync.FullEnvelope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

/** What a merge costs beyond looking at everything once, and how that grows. */
final class MergeBenchmark {

  private static final List<Integer> MARKS = List.of(100, 1_000, 10_000);
  private static final int MARKS_PER_AUTHOR = 10;
  private static final Target TARGET = Target.atMost(5);
  private static final Target LINEAR = Target.atMost(2);

  private final Topic.Setting setting;

  MergeBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    Map<String, Callable<Double>> work = new LinkedHashMap<>();
    for (int marks : MARKS) {
      FullEnvelope envelope = new FullEnvelope(marks, marks / MARKS_PER_AUTHOR);
      work.put(merge(marks), () -> microsEach(envelope::merge));
      work.put(walk(marks), () -> microsEach(envelope::walk));
    }
    Series<Double> series = setting.rounds().run("Merge", work);
    List<List<String>> rows = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    for (int marks : MARKS) {
      Quartiles ratio = series.ratio(merge(marks), walk(marks), micros -> micros);
      rows.add(List.of(
          size(marks),
          Numbers.with(series.of(merge(marks), micros -> micros)),
          Numbers.with(series.of(walk(marks), micros -> micros)),
          Numbers.with(ratio)));
      bars.add(new Bar(size(marks), ratio, true));
    }
    int most = MARKS.get(MARKS.size() - 1);
    int fewer = MARKS.get(MARKS.size() - 2);
    Quartiles growth = series.ratio(merge(most), merge(fewer), micros -> micros);
    double expected = (double) most / fewer;
    Quartiles beyondLinear = new Quartiles(
        growth.lower() / expected, growth.median() / expected, growth.upper() / expected);
    return new Section(
        "Merge",
        "A device merges a document of which it lacks a tenth of the marks and has one of its own, with two"
            + " preferences changed, against *walking*: looking up every entry of each side at the other once.",
        List.of("", "merge µs", "walk µs", "merge × walk"),
        rows,
        List.of(
            new Goal(
                "merge of a full envelope × walking it",
                series.ratio(merge(most), walk(most), m -> m),
                TARGET),
            new Goal("merge of ten times as much × ten merges", beyondLinear, LINEAR)),
        List.of(new Panel("Merge × walk", bars, Optional.of(TARGET))));
  }

  private double microsEach(IntSupplier work) {
    long nanos = setting.pace().slice().toNanos() / 4;
    long start = System.nanoTime();
    long end = start + nanos;
    int times = 0;
    long sum = 0;
    do {
      sum += work.getAsInt();
      times++;
    } while (System.nanoTime() < end);
    if (sum == 0) {
      throw new IllegalStateException("There was nothing to do");
    }
    return (System.nanoTime() - start) / 1e3 / times;
  }

  private static String merge(int marks) {
    return "merge " + marks;
  }

  private static String walk(int marks) {
    return "walk " + marks;
  }

  private static String size(int marks) {
    return String.format("%,d marks, %,d preferences", marks, marks / MARKS_PER_AUTHOR);
  }
}
