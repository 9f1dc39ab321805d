package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Participants under the same load, as a table: how fast each is, and how it compares with some of them. */
public record LoadTable(Series<Slice> series, List<String> bars) {

  /** Measures the participants; {@code bars} names those that all are compared with. */
  public static LoadTable measure(
      String title, Rounds rounds, Load load, List<Participant> participants, List<String> bars)
      throws Exception {
    Map<String, Callable<Slice>> slices = new LinkedHashMap<>();
    for (Participant participant : participants) {
      rounds.progress().accept(title + ": warming up " + participant.name());
      load.warmUp(participant);
      // It takes tens of thousands of pairs until a library that does more than the floor is
      // compiled.
      for (int slice = 0; slice < rounds.count() / 2; slice++) {
        load.on(participant);
      }
      slices.put(participant.name(), () -> load.on(participant));
    }
    return new LoadTable(rounds.run(title, slices), bars);
  }

  public List<String> header() {
    List<String> header = new ArrayList<>(List.of("", "per second", "p50 µs", "p99 µs"));
    bars.forEach(bar -> header.add("per second × " + bar));
    return header;
  }

  public List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (String name : series.names()) {
      List<String> row = new ArrayList<>();
      row.add(name);
      row.add(Numbers.with(series.of(name, Slice::perSecond)));
      row.add(Numbers.with(series.of(name, Slice::p50Micros)));
      row.add(Numbers.with(series.of(name, Slice::p99Micros)));
      bars.forEach(bar -> row.add(Numbers.with(series.ratio(name, bar, Slice::perSecond))));
      rows.add(row);
    }
    return rows;
  }
}
