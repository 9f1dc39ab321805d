package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import dev.syncguard.benchmarks.GrowthBenchmark;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What many documents cost: time in queries that find few of them, and heap. */
final class SizeBenchmark {

  private static final Target GROUP = Target.atMost(2);
  private static final Target DOCUMENT = Target.atMost(500);
  private static final Target VECTOR = Target.atMost(1.5);
  private static final int PATIENCE_SECONDS = 30;

  private static final String DOCUMENT_TAKES =
      "documents kept as bytes and not as objects, and one ordered key space for documents and index entries:"
          + " ADR 21";
  private static final String VECTOR_TAKES =
      "documents that keep the numbers of a vector without the three bytes that go before each";

  private final Topic.Setting setting;

  SizeBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  List<Section> measure() throws Exception {
    GrowthBenchmark growth = new GrowthBenchmark(
        setting,
        "Growth",
        "A query through Google's client for the one document of a collection that has a certain number in a"
            + " field, another number each time.",
        "documents");
    int many = setting.pace().fences();
    setting.progress().accept(String.format("Filling collections with up to %,d documents", many));
    Process process = new ProcessBuilder(command(growth.sizes()))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    try (BufferedReader output = process.inputReader()) {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("The filled server ended before it was ready");
      }
      String[] words = line.split(" ", -1);
      Firestore client = Clients.connect(words[0]);
      try {
        return List.of(
            growth.measure((name, size) -> new Queries(
                name,
                size,
                number ->
                    client.collection(FilledServer.collection(size)).whereEqualTo("number", number),
                1)),
            groups(client),
            weight(many, Double.parseDouble(words[1]), Double.parseDouble(words[2])));
      } finally {
        Clients.close(client);
      }
    } finally {
      process.outputWriter().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }

  private static List<String> command(List<Integer> sizes) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-Xmx3g",
        "-cp",
        System.getProperty("java.class.path"),
        FilledServer.class.getName()));
    sizes.forEach(size -> command.add(Integer.toString(size)));
    return command;
  }

  /** Measures whether the members of a collection group are found among everything else. */
  private Section groups(Firestore client) throws Exception {
    String title = "Collection groups";
    String plain = "a collection";
    String group = "a group";
    LoadTable table = LoadTable.measure(
        title,
        setting.rounds(),
        new Load(1, setting.pace().slice(), setting.pace().warmUp()),
        List.of(
            new Queries(
                plain, 1, unused -> client.collection(FilledServer.FEW), FilledServer.MEMBERS),
            new Queries(
                group,
                1,
                unused -> client.collectionGroup(FilledServer.GROUP),
                FilledServer.MEMBERS)),
        List.of(plain));
    Quartiles ratio = table.series().ratio(group, plain, Slice::p50Micros);
    return new Section(
        title,
        "All " + FilledServer.MEMBERS
            + " documents of one collection, and as many of a collection group that are"
            + " spread over collections below a million other documents.",
        table.header(),
        table.rows(),
        List.of(new Goal("p50 of a query, " + group + " × " + plain, ratio, GROUP)),
        List.of(new Panel(
            title + ": p50 × " + plain, List.of(new Bar(group, ratio, true)), Optional.of(GROUP))));
  }

  private static Section weight(int many, double bytes, double vectors) {
    Quartiles document = new Quartiles(bytes, bytes, bytes);
    Quartiles vector = new Quartiles(vectors, vectors, vectors);
    return new Section(
        "Heap",
        "The heap in use after collecting garbage, less what it was before. Documents have a number, a short text and a"
            + " flag, all indexed; names, versions, indexes and history count. Vectors have 768 numbers of 8 bytes.",
        List.of("", "heap"),
        List.of(
            List.of(String.format("bytes for each of %,d documents", many), Numbers.plain(bytes)),
            List.of("a vector × its numbers", Numbers.plain(vectors))),
        List.of(
            new Goal("bytes of heap per small document", document, DOCUMENT, DOCUMENT_TAKES),
            new Goal("heap of a vector × its numbers", vector, VECTOR, VECTOR_TAKES)),
        List.of(
            new Panel(
                "Bytes of heap per small document",
                List.of(new Bar("SyncGuard", document, true)),
                Optional.of(DOCUMENT)),
            new Panel(
                "Heap of a vector × its numbers",
                List.of(new Bar("SyncGuard", vector, true)),
                Optional.of(VECTOR))));
  }

  /** Queries by a number that each find so many documents. */
  private record Queries(String name, int numbers, Function<Integer, Query> query, int results)
      implements Participant {

    @Override
    public Worker worker(int thread) {
      Random random = new Random(thread);
      return () -> {
        int found = query.apply(random.nextInt(numbers)).get().get().size();
        if (found != results) {
          throw new IllegalStateException(
              "A query found " + found + " documents instead of " + results);
        }
      };
    }

    @Override
    public void close() {}
  }
}
