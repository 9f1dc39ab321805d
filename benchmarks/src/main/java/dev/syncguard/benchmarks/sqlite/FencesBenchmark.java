package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.GrowthBenchmark;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import java.nio.file.Path;
import java.util.function.Function;

/** Whether a pair costs the same in a file that knows ten locks and in one that knows a million. */
final class FencesBenchmark {

  private final Topic.Setting setting;

  FencesBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section onDisk() throws Exception {
    return measure(
        "Growth",
        "So many locks are held and so many more fences are remembered; pairs take keys chosen at random from"
            + " the latter.",
        setting.files()::onDisk);
  }

  Section inMemory() throws Exception {
    return measure(
        "Growth without a disk",
        "The same on files in memory, where no wait for the disk hides the work of a larger tree.",
        setting.files()::inMemory);
  }

  private Section measure(String title, String text, Function<String, Path> file) throws Exception {
    return new GrowthBenchmark(setting, title, text, "locks")
        .measure((name, size) -> new SyncGuardPairs(
            name,
            SqliteFences.store(file.apply("growth-" + size + ".db"), size),
            thread -> GrowthBenchmark.randomKeys(size)));
  }
}
