package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Participant;
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

/** What one pair costs the server, by the server's own counters. These hardly depend on the machine. */
final class WorkBenchmark {

  private static final Target SYNCS = Target.atMost(1.05);

  /** Counters hardly differ from one round to the next. */
  private static final int ROUNDS = 3;

  private final Topic.Setting setting;
  private final PostgresServer server;

  WorkBenchmark(Topic.Setting setting, PostgresServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws Exception {
    String title = "What a pair costs the server";
    // One connection, so that its counters can be asked for.
    try (HikariDataSource one = Pools.open(server.url(), 1)) {
      Map<String, Callable<ServerWork>> pairs = new LinkedHashMap<>();
      for (Participant participant : PostgresTopic.participants(one)) {
        pairs.put(participant.name(), () -> count(participant, one));
      }
      return section(title, new Rounds(ROUNDS, 1, setting.progress()).run(title, pairs));
    }
  }

  private ServerWork count(Participant participant, HikariDataSource one) throws Exception {
    Participant.Worker worker = participant.worker(0);
    worker.once();
    int count = setting.pace().warmUp() / 2;
    ServerWork before = server.work(one);
    for (int i = 0; i < count; i++) {
      worker.once();
    }
    return server.work(one).perEach(before, count);
  }

  private static Section section(String title, Series<ServerWork> series) {
    return new Section(
        title,
        "Counted by the server, for pairs of one thread: transactions, how often the log was synced to disk, by"
            + " anybody, how much was written to it, and the processor time of the session. The time is of this"
            + " machine, the rest of any.",
        List.of("", "transactions", "log syncs", "log bytes", "CPU µs"),
        series.names().stream()
            .map(name -> List.of(
                name,
                Numbers.with(series.of(name, ServerWork::transactions)),
                Numbers.with(series.of(name, ServerWork::syncs)),
                Numbers.with(series.of(name, ServerWork::logBytes)),
                Numbers.with(series.of(name, ServerWork::cpuMicros))))
            .toList(),
        List.of(new Goal(
            "log syncs per pair", series.of(PostgresTopic.OURS, ServerWork::syncs), SYNCS)),
        List.of(new Panel(
            "Log syncs per pair",
            series.names().stream()
                .map(name -> new Bar(
                    name, series.of(name, ServerWork::syncs), name.equals(PostgresTopic.OURS)))
                .toList(),
            Optional.of(SYNCS))));
  }
}
