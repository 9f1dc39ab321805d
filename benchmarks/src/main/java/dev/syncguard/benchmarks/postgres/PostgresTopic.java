package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.OutageBenchmark;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.WaitersBenchmark;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import java.util.ArrayList;
import java.util.List;

/** Locks in a PostgreSQL database, beside the libraries that people use there. */
public final class PostgresTopic implements Topic {

  static final String OURS = "SyncGuard";
  static final String SHEDLOCK = "ShedLock (no fence, no waiting)";
  static final String SPRING = "Spring (no fence)";
  static final String ADVISORY = "advisory lock (no fence, no ttl)";
  static final String FLOOR = "hand-written floor (no waiting)";
  static final String SELECTS = "limit: two SELECT 1";
  static final String UPDATES = "limit: two durable UPDATEs";

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public String title() {
    return "SyncGuard on PostgreSQL";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    try (PostgresServer server = PostgresServer.start(setting.files().onDisk("postgres"))) {
      try (PostgresLockBackend ours = PostgresLockBackend.connect(server.url())) {
        ours.setupSchema();
      }
      List<Section> sections = new ArrayList<>();
      List<Participant> all = participants(Pools.open(server.url(), PairsBenchmark.MANY));
      try {
        PairsBenchmark pairs = new PairsBenchmark(setting, all);
        sections.add(pairs.oneThread(server.version()));
        sections.add(pairs.manyThreads());
      } finally {
        all.forEach(Participant::close);
      }
      sections.add(new WorkBenchmark(setting, server).measure());
      sections.add(new HandOffBenchmark(setting, server).measure());
      sections.add(new MemoryBenchmark(setting, server).measure());
      sections.add(new GrownPostgres(setting, server).measure());
      sections.add(new WaitersBenchmark(
              setting, () -> PostgresLockBackend.connect(server.url()), server::cpuMillis)
          .measure());
      sections.add(new OutageBenchmark(
              setting,
              server.port(),
              port -> PostgresLockBackend.connect(
                  "postgresql://postgres@127.0.0.1:" + port + "/postgres"))
          .measure());
      return sections;
    }
  }

  /** Returns everybody, all on one pool, which the first who is closed closes. */
  static List<Participant> participants(HikariDataSource pool) {
    return List.of(
        new KeyedPairs(SELECTS, BareRoundTrips.select(pool)),
        new KeyedPairs(UPDATES, BareRoundTrips.durableUpdate(pool)),
        new KeyedPairs(FLOOR, new HandWrittenLock(pool)),
        new SyncGuardPairs(OURS, PostgresLockBackend.over(pool), KeyedPairs::keys),
        new KeyedPairs(SHEDLOCK, new ShedLock(pool)),
        new KeyedPairs(SPRING, new SpringLock(pool)),
        new KeyedPairs(ADVISORY, new AdvisoryLock(pool)));
  }
}
