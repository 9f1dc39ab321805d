package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.OutageBenchmark;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.WaitersBenchmark;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
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
      sections.add(new WorkBenchmark(setting, server.emulatorHost()).measure());
      server.clear();
      sections.add(new HandOffBenchmark(setting, server.emulatorHost()).measure());
      server.clear();
      Firestore client = Clients.connect(server.emulatorHost());
      try {
        sections.add(new WaitersBenchmark(
                setting,
                () -> FirestoreLockBackend.over(client),
                WaitersBenchmark.ServerClock.INSIDE)
            .measure());
      } finally {
        client.shutdownNow();
      }
      sections.add(new OutageBenchmark(
              setting,
              server.port(),
              port -> FirestoreLockBackend.builder(Clients.options("127.0.0.1:" + port))
                  .build())
          .measure());
      return sections;
    }
  }
}
