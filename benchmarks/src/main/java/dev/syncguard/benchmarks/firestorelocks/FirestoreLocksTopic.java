package dev.syncguard.benchmarks.firestorelocks;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.firestore.server.FirestoreServer;
import java.util.ArrayList;
import java.util.List;

/** Locks on Firestore: on the embedded server, and through Google's client. */
public final class FirestoreLocksTopic implements Topic {

  static final String OURS = "SyncGuard";

  @Override
  public String name() {
    return "firestore-locks";
  }

  @Override
  public String title() {
    return "SyncGuard on Firestore";
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      List<Section> sections =
          new ArrayList<>(new PairsBenchmark(setting, server.emulatorHost()).measure());
      server.clear();
      sections.add(new HandOffBenchmark(setting, server.emulatorHost()).measure());
      return sections;
    }
  }
}
