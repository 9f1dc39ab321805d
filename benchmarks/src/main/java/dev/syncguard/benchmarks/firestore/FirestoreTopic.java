package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import java.util.ArrayList;
import java.util.List;

/** The embedded Firestore. */
public final class FirestoreTopic implements Topic {

  @Override
  public String name() {
    return "firestore";
  }

  @Override
  public String title() {
    return "The embedded Firestore";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    StartBenchmark start = new StartBenchmark(setting);
    DocumentsBenchmark documents = new DocumentsBenchmark(setting);
    List<Section> sections = new ArrayList<>();
    sections.add(start.warm());
    if (setting.startsPeers()) { // a quick run would build the program first
      sections.addAll(start.cold());
    }
    for (String what : List.of("writes", "reads")) {
      sections.add(documents.measure(what, 1));
      sections.add(documents.measure(what, 8));
    }
    DurableBenchmark durable = new DurableBenchmark(setting);
    sections.add(durable.measure(1));
    sections.add(durable.measure(8));
    sections.add(new ContentionBenchmark(setting).measure());
    ListenersBenchmark listeners = new ListenersBenchmark(setting);
    sections.add(listeners.idle());
    sections.add(listeners.fanOut());
    sections.addAll(new SizeBenchmark(setting).measure());
    return sections;
  }
}
