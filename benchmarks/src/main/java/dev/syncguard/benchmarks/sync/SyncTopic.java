package dev.syncguard.benchmarks.sync;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import java.util.List;

/** The sync of a reader's state. */
public final class SyncTopic implements Topic {

  @Override
  public String name() {
    return "sync";
  }

  @Override
  public String title() {
    return "Reader sync";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    return List.of(new DayBenchmark(setting).measure(), new MergeBenchmark(setting).measure());
  }
}
