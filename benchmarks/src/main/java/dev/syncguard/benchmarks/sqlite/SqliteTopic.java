package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.WaitersBenchmark;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.util.List;

/** Locks in an SQLite file. */
public final class SqliteTopic implements Topic {

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public String title() {
    return "SyncGuard on SQLite";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    PairsBenchmark pairs = new PairsBenchmark(setting);
    FencesBenchmark fences = new FencesBenchmark(setting);
    return List.of(
        pairs.onDisk(1),
        pairs.onDisk(16),
        new TogetherBenchmark(setting).measure(),
        pairs.inMemory(),
        new WorkBenchmark(setting)
            .measure(PairsBenchmark.participants("-work.db", setting.files()::inMemory)),
        new HandOffBenchmark(setting).measure(),
        new HeapBenchmark(setting).measure(),
        fences.onDisk(),
        fences.inMemory(),
        new WaitersBenchmark(
                setting,
                () -> SqliteLockBackend.open(setting.files().onDisk("waiters.db")),
                WaitersBenchmark.ServerClock.INSIDE)
            .measure());
  }
}
