package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What many documents cost: time in a query that finds one of them, and heap. */
final class SizeBenchmark {

  private static final Target SLOWER = Target.atMost(2);
  private static final Target WEIGHT = Target.below(1500);
  private static final int PATIENCE_SECONDS = 30;

  private final Topic.Setting setting;

  SizeBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  List<Section> measure() throws Exception {
    int many = setting.pace().fences();
    setting.progress().accept(String.format("Filling a collection with %,d documents", many));
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx3g",
            "-cp",
            System.getProperty("java.class.path"),
            FilledServer.class.getName(),
            Integer.toString(many))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    try (BufferedReader output = process.inputReader()) {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("The filled server ended before it was ready");
      }
      String[] words = line.split(" ", -1);
      return List.of(queries(words[0], many), weight(Double.parseDouble(words[1]), many));
    } finally {
      process.outputWriter().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  private Section queries(String host, int many) throws Exception {
    String title = "Equality queries";
    String small = String.format("of %,d documents", FilledServer.FEW);
    String large =
        String.format("of %,d documents", many) + (many == FilledServer.FEW ? ", too" : "");
    Firestore client = Clients.connect(host);
    try {
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(1, setting.pace().slice(), setting.pace().warmUp()),
          List.of(
              new EqualityQueries(small, client, FilledServer.SMALL, FilledServer.FEW),
              new EqualityQueries(large, client, FilledServer.LARGE, many)),
          List.of(small));
      Quartiles ratio = table.series().ratio(large, small, Slice::p50Micros);
      return new Section(
          title,
          "A query through Google's client for the one document of a collection that has a certain number in a field,"
              + " another number each time.",
          table.header(),
          table.rows(),
          List.of(new Goal("p50 of an equality query, " + large + " × " + small, ratio, SLOWER)),
          List.of(new Panel(
              title + ": p50 × " + small,
              List.of(new Bar(large, ratio, true)),
              Optional.of(SLOWER))));
    } finally {
      Clients.close(client);
    }
  }

  private static Section weight(double bytes, int many) {
    String title = "Heap per document";
    Quartiles each = new Quartiles(bytes, bytes, bytes);
    return new Section(
        title,
        "Documents with a number, a short text and a flag, all indexed: the heap in use after collecting garbage, less"
            + " what it was before, divided by their number. Names, versions, indexes and history count.",
        List.of("documents", "bytes of heap each"),
        List.of(List.of(String.format("%,d", many), Numbers.plain(bytes))),
        List.of(new Goal("bytes of heap per small document", each, WEIGHT)),
        List.of(new Panel(
            "Bytes of heap per small document",
            List.of(new Bar("SyncGuard", each, true)),
            Optional.of(WEIGHT))));
  }

  /** Queries that each find one document. */
  private record EqualityQueries(String name, Firestore client, String collection, int documents)
      implements Participant {

    @Override
    public Worker worker(int thread) {
      Random random = new Random(thread);
      return () -> {
        Query query =
            client.collection(collection).whereEqualTo("number", random.nextInt(documents));
        if (query.get().get().size() != 1) {
          throw new IllegalStateException("A query did not find its document");
        }
      };
    }

    @Override
    public void close() {}
  }
}
