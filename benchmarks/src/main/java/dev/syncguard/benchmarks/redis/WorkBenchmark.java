package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What one pair costs the server, by the server's own counters. These hardly depend on the machine. */
final class WorkBenchmark {

  private static final Target READS = Target.atMost(2);
  private static final Target COMMANDS = Target.atMost(8);
  private static final Target SCRIPT_MICROS = Target.atMost(18);

  private static final String WRITE_FIRST =
      "to count the fence up before looking whether the key is free, so that every refusal would write as well";

  private static final int FIRST = 10;

  private final Topic.Setting setting;
  private final RedisServer server;

  /** What the server did for one pair. */
  private record Pair(
      double reads, double commands, double bytesIn, double scriptMicros, double cpuMicros) {}

  WorkBenchmark(Topic.Setting setting, RedisServer server) {
    this.setting = setting;
    this.server = server;
  }

  /** Counts for one after the other, with nobody else connected. */
  Section measure(List<Supplier<Participant>> participants) throws Exception {
    String title = "What a pair costs the server";
    setting.progress().accept(title);
    Map<String, Callable<Pair>> pairs = new LinkedHashMap<>();
    for (Supplier<Participant> opening : participants) {
      try (Participant participant = opening.get()) {
        Pair pair = count(participant);
        pairs.put(participant.name(), () -> pair);
      }
    }
    Series<Pair> series = new Rounds(1, 0, unused -> {}).run(title, pairs);
    Quartiles reads = series.of(RedisTopic.OURS, Pair::reads);
    Quartiles commands = series.of(RedisTopic.OURS, Pair::commands);
    return new Section(
        title,
        "Counted by the server, for pairs of one thread: how often it read from a connection, which are"
            + " the messages it got, how many commands it ran, those inside of scripts included, how many"
            + " bytes it was sent, how long its scripts took, and how much processor time it used, its connections"
            + " included. The times are of this machine, the rest of any.",
        List.of("", "reads", "commands", "bytes in", "script µs", "CPU µs"),
        series.names().stream()
            .map(name -> List.of(
                name,
                Numbers.plain(series.of(name, Pair::reads).median()),
                Numbers.plain(series.of(name, Pair::commands).median()),
                Numbers.plain(series.of(name, Pair::bytesIn).median()),
                Numbers.plain(series.of(name, Pair::scriptMicros).median()),
                Numbers.plain(series.of(name, Pair::cpuMicros).median())))
            .toList(),
        List.of(
            new Goal("reads per pair", reads, READS),
            new Goal("commands per pair", commands, COMMANDS, WRITE_FIRST),
            new Goal(
                "µs of scripts per pair",
                series.of(RedisTopic.OURS, Pair::scriptMicros),
                SCRIPT_MICROS)),
        List.of(
            panel("Messages to the server per pair", series, Pair::reads, READS),
            panel("Commands per pair", series, Pair::commands, COMMANDS)));
  }

  private Pair count(Participant participant) throws Exception {
    Participant.Worker worker = participant.worker(0);
    for (int i = 0; i < FIRST; i++) {
      worker.once();
    }
    int count = setting.pace().warmUp();
    ServerWork before = server.work();
    for (int i = 0; i < count; i++) {
      worker.once();
    }
    ServerWork work = server.work().since(before);
    return new Pair(
        (double) work.reads() / count,
        (double) work.commands() / count,
        (double) work.bytesIn() / count,
        (double) work.scriptMicros() / count,
        (double) work.cpuMicros() / count);
  }

  private static Panel panel(
      String title, Series<Pair> series, ToDoubleFunction<Pair> what, Target target) {
    return new Panel(
        title,
        series.names().stream()
            .map(name -> new Bar(name, series.of(name, what), name.equals(RedisTopic.OURS)))
            .toList(),
        Optional.of(target));
  }
}
