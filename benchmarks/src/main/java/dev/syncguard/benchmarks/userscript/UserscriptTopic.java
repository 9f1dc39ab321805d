package dev.syncguard.benchmarks.userscript;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import java.util.List;

/** The userscript, in the system's Chromium. */
public final class UserscriptTopic implements Topic {

  @Override
  public String name() {
    return "userscript";
  }

  @Override
  public String title() {
    return "Power Reader in the browser";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    try (Chromium chromium = new Chromium()) {
      return List.of(
          ScriptSize.section(),
          new FirstRenderBenchmark(setting, chromium).measure(),
          new LongTasksBenchmark(setting, chromium).measure(),
          new BrowserMergeBenchmark(setting, chromium).measure());
    }
  }
}
