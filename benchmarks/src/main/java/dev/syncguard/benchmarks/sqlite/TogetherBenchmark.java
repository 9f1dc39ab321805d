package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What more threads bring where every change waits for the same disk. */
final class TogetherBenchmark {

  private static final Target TARGET = Target.atLeast(4);
  private static final String TAKES =
      "less work for each change: sixteen share one flush, and then what the file's one writer does counts, which is"
          + " four pages a pair, two of them for the index that finds a lease by its id; or a slower disk, since what"
          + " is shared is the flush";
  private static final String ALONE = "one thread";
  private static final String TOGETHER = "16 threads";

  private final Topic.Setting setting;

  TogetherBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    String title = "Threads that share a flush";
    Map<String, Integer> threads = new LinkedHashMap<>();
    threads.put(ALONE, 1);
    threads.put("4 threads", 4);
    threads.put(TOGETHER, 16);
    threads.put("64 threads", 64);
    try (SyncGuardPairs pairs = new SyncGuardPairs(
        "SyncGuard",
        SqliteLockBackend.open(setting.files().onDisk("together.db")),
        thread -> () -> "key-" + thread)) {
      Map<String, Callable<Slice>> slices = new LinkedHashMap<>();
      threads.forEach((name, count) -> {
        Load load = new Load(count, setting.pace().slice(), setting.pace().warmUp());
        slices.put(name, () -> load.on(pairs));
      });
      new Load(1, setting.pace().slice(), setting.pace().warmUp()).warmUp(pairs);
      LoadTable table = new LoadTable(setting.rounds().run(title, slices), List.of(ALONE));
      return new Section(
          title,
          "Pairs of acquire and release by more and more threads of one process on one file, each on keys"
              + " of its own, in turns. Whoever gets to write carries the changes of all who wait, in one"
              + " transaction and one flush.",
          table.header(),
          table.rows(),
          List.of(new Goal(
              "pairs/s of 16 threads × one thread",
              table.series().ratio(TOGETHER, ALONE, Slice::perSecond),
              TARGET,
              TAKES)),
          List.of(new Panel(
              title + ": pairs per second × one thread",
              table.series().names().stream()
                  .map(name -> new Bar(
                      name,
                      table.series().ratio(name, ALONE, Slice::perSecond),
                      name.equals(TOGETHER)))
                  .toList(),
              Optional.of(TARGET))));
    }
  }
}
