package dev.syncguard.benchmarks.rules;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.auth.Authorizer;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Several clients at once that commit small envelopes to a server with the rules of the sync product, and to one without. */
final class LoadedRules {

  private static final int THREADS = 8;
  private static final int READ_MARKS = 100;
  private static final int PREFERENCES = 10;

  private final Topic.Setting setting;

  LoadedRules(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure(String open, String guarded) throws Exception {
    String title = "Rules under load";
    String rules =
        Files.readString(setting.launcher().resolveSibling("sync/firebase/firestore.rules"));
    List<Participant> all = new ArrayList<>();
    try {
      all.add(Commits.to(open, server().authorizer(Authorizer.open())));
      all.add(Commits.to(guarded, server().rules(rules)));
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(THREADS, setting.pace().slice(), setting.pace().warmUp()),
          all,
          List.of(open));
      Quartiles ratio = table.series().ratio(guarded, open, Slice::perSecond);
      return new Section(
          title,
          THREADS + " threads without a token that each commit an envelope of " + READ_MARKS
              + " read marks and " + PREFERENCES + " preferences over gRPC, again and again.",
          table.header(),
          table.rows(),
          List.of(),
          List.of(new Panel(
              title + ": commits per second × " + open,
              List.of(new Bar(guarded, ratio, true)),
              Optional.empty())));
    } finally {
      all.forEach(Participant::close);
    }
  }

  private static FirestoreServerBuilder server() {
    return FirestoreServer.builder().time(InstantSource.fixed(Envelope.NOW));
  }

  /** Commits of one server; each thread has a document of its own. */
  private record Commits(String name, FirestoreServer server, ManagedChannel channel)
      implements Participant {

    private static final String DATABASE = "projects/demo-benchmarks/databases/(default)";

    static Commits to(String name, FirestoreServerBuilder builder) {
      FirestoreServer server = builder.start();
      return new Commits(
          name,
          server,
          ManagedChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build());
    }

    @Override
    public Worker worker(int thread) {
      FirestoreGrpc.FirestoreBlockingStub stub = FirestoreGrpc.newBlockingStub(channel);
      // Two that differ, or a commit would change nothing.
      List<CommitRequest> requests =
          List.of(request(thread, "one:11111111"), request(thread, "two:22222222"));
      int[] next = {0};
      return () -> {
        if (!stub.commit(requests.get(next[0]++ % requests.size())).hasCommitTime()) {
          throw new IllegalStateException("A commit has no time");
        }
      };
    }

    private static CommitRequest request(int thread, String writer) {
      Map<String, Value> fields = new HashMap<>(Envelope.of(READ_MARKS, PREFERENCES));
      fields.put("lastPushedBy", Value.newBuilder().setStringValue(writer).build());
      String node = "/documents/pr_sync_v1/lw/nodes/pr_sync_" + "0123456789abcdef".repeat(3)
          + String.format("%016x", thread);
      return CommitRequest.newBuilder()
          .setDatabase(DATABASE)
          .addWrites(Write.newBuilder()
              .setUpdate(Document.newBuilder().setName(DATABASE + node).putAllFields(fields)))
          .build();
    }

    @Override
    public void close() {
      channel.shutdownNow();
      server.close();
    }
  }
}
