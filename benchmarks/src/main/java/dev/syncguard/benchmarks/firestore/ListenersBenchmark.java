package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.FirestoreGrpc;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Growth;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** What listeners cost: those that a write does not concern, and those that it does. */
final class ListenersBenchmark {

  private static final Target UNDISTURBED = Target.atLeast(0.95);
  private static final int FEWEST = 10;
  private static final String NONE = "no listener";

  private final Topic.Setting setting;

  ListenersBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  private List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = FEWEST; size <= setting.pace().waiters(); size *= 10) {
      sizes.add(size);
    }
    return sizes;
  }

  private static String words(int listeners) {
    return String.format("%,d listeners", listeners);
  }

  /** Measures commits beside listeners on other documents. */
  Section idle() throws Exception {
    String title = "Commits beside idle listeners";
    List<Participant> servers = new ArrayList<>();
    List<OpenListeners> listeners = new ArrayList<>();
    try {
      servers.add(server(NONE));
      for (int size : sizes()) {
        RawClient client = server(words(size));
        servers.add(client);
        listeners.add(new OpenListeners(client.host(), size, i -> "idle/" + i));
      }
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(1, setting.pace().slice(), setting.pace().warmUp()),
          servers,
          List.of(NONE));
      int most = sizes().get(sizes().size() - 1);
      return new Section(
          title,
          "One thread commits one document over gRPC while so many others listen to a document each that"
              + " nobody writes, each on a stream of its own.",
          table.header(),
          table.rows(),
          List.of(new Goal(
              "commits/s beside " + words(most) + " × " + NONE,
              table.series().ratio(words(most), NONE, Slice::perSecond),
              UNDISTURBED)),
          List.of(new Growth(
              title + ": per second × " + NONE,
              "idle listeners",
              List.of(new Growth.Line(
                  "commits",
                  sizes().stream()
                      .map(size -> new Growth.Point(
                          size, table.series().ratio(words(size), NONE, Slice::perSecond)))
                      .toList())))));
    } finally {
      listeners.forEach(OpenListeners::close);
      servers.forEach(Participant::close);
    }
  }

  private static RawClient server(String name) {
    FirestoreServer server = FirestoreServers.open().start();
    return RawClient.of(name, server.emulatorHost(), server);
  }

  /** Measures how long it takes until everybody has heard of one write. */
  Section fanOut() throws Exception {
    String title = "Fan-out of one write";
    Map<String, Callable<Double>> writes = new LinkedHashMap<>();
    List<OpenListeners> listeners = new ArrayList<>();
    try (FirestoreServer server = FirestoreServers.open().start()) {
      ManagedChannel channel = RawClient.channel(server.emulatorHost());
      var stub = FirestoreGrpc.newBlockingStub(channel);
      long[] number = {0};
      for (int size : sizes()) {
        String path = "news/" + size;
        OpenListeners all = new OpenListeners(server.emulatorHost(), size, i -> path);
        listeners.add(all);
        writes.put(words(size), () -> {
          long next = ++number[0];
          return all.millisUntilHeard(next, () -> {
            if (!stub.commit(RawClient.set(path, next)).hasCommitTime()) {
              throw new IllegalStateException("A commit has no time");
            }
          });
        });
      }
      var series = setting.rounds().run(title, writes);
      List<List<String>> rows = new ArrayList<>();
      List<Growth.Point> points = new ArrayList<>();
      for (int size : sizes()) {
        Quartiles millis = series.of(words(size), value -> value);
        Quartiles each = series.of(words(size), value -> 1e3 * value / size);
        rows.add(List.of(words(size), Numbers.with(millis), Numbers.with(each)));
        points.add(new Growth.Point(size, each));
      }
      channel.shutdownNow();
      return new Section(
          title,
          "From sending one commit to the moment at which the last of so many listeners to its document, each on"
              + " a stream of its own in this process, has heard of it.",
          List.of("", "ms until the last", "µs each"),
          rows,
          List.of(),
          List.of(new Growth(
              title + ": µs for each listener",
              "listeners",
              List.of(new Growth.Line("until the last has heard", points)))));
    } finally {
      listeners.forEach(OpenListeners::close);
    }
  }
}
