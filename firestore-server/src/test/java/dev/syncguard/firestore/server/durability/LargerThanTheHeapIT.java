package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.query.Aggregations;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.Scan;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data directory may hold far more than the heap: documents are written, found by name and by value, counted, and read
 * back after a clean stop and after a kill, in processes whose heap is too small for them. More of them:
 * {@code -Ddocuments=10000000 -Dheap=512m}.
 */
class LargerThanTheHeapIT {
  private static final long DOCUMENTS = Long.getLong("documents", 150_000);
  private static final String HEAP = System.getProperty("heap", "48m");

  /** How many times as large as the snapshot and the log the working file, which has the indexes, may be. */
  private static final int MULTIPLE = 4;

  @TempDir
  private Path root;

  @Test
  void documentsThatDoNotFitIntoTheHeapAreWrittenAndFoundAlsoAfterAKill() throws Exception {
    assertThat(run("write")).isEqualTo("found all");
    long data = bytes(root.resolve("p/d"));
    assertThat(workingFile()).as("the working file").isLessThan(MULTIPLE * data);
    assertThat(run("kill")).as("the sealed file, then killed").isEqualTo("found all");
    assertThat(run("read")).as("made again").isEqualTo("found all");
    assertThat(workingFile()).as("the working file, made again").isLessThan(MULTIPLE * data);
  }

  private long workingFile() throws IOException {
    return Files.size(root.resolve("p/d~working"));
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private String run(String what) throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP,
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Worker.class.getName(),
            root.toString(),
            Long.toString(DOCUMENTS),
            what)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return output.strip();
  }

  /** Opens the directory, does what it is told, and says so. */
  public static final class Worker {
    private static final DatabaseName NAME = new DatabaseName("p", "d");
    private static final int BATCH = 500;
    private static final Aggregations ALL = Aggregations.of(
        ParentName.parse(NAME.documents()),
        StructuredAggregationQuery.newBuilder()
            .setStructuredQuery(StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId("c")))
            .addAggregations(Aggregation.newBuilder()
                .setAlias("all")
                .setCount(Aggregation.Count.getDefaultInstance()))
            .build());

    private Worker() {}

    public static void main(String[] arguments) {
      long documents = Long.parseLong(arguments[1]);
      String what = arguments[2];
      DataDirectory directory = DataDirectory.open(Path.of(arguments[0]), Fsync.NEVER, 64L << 20);
      Database database = directory.open(
          NAME,
          journal -> new Database(
              NAME,
              journal,
              InstantSource.system(),
              IndexPolicy.EVERYTHING,
              Database.HistoryLimits.DEFAULT));
      if (what.equals("write")) {
        write(directory, database, documents);
      }
      String found = look(database, documents);
      if (what.equals("kill")) {
        System.out.println(found);
        Runtime.getRuntime().halt(0);
      }
      directory.close();
      System.out.println(found);
    }

    private static void write(DataDirectory directory, Database database, long documents) {
      WritePlanner planner = new WritePlanner(NAME);
      for (long start = 0; start < documents; start += BATCH) {
        List<Write> writes = new ArrayList<>();
        for (long i = start; i < Math.min(documents, start + BATCH); i++) {
          writes.add(Write.newBuilder().setUpdate(document(i)).build());
        }
        database.commit(planner.plan(writes), CommitGate.OPEN);
        if (start % 50_000 == 0) {
          directory.maintain();
        }
      }
    }

    /** A number that is scattered over the collection, and two more fields, as small documents have. */
    private static Document document(long i) {
      return Document.newBuilder()
          .setName(name(i).toString())
          .putFields("number", Values.of(scattered(i)))
          .putFields("name", Values.of("name of " + i))
          .putFields("done", Values.of(i % 2 == 0))
          .build();
    }

    private static long scattered(long i) {
      return i * 0x9E3779B97F4A7C15L;
    }

    private static DocumentName name(long i) {
      return new DocumentName(NAME, "c/document-" + i);
    }

    private static String look(Database database, long documents) {
      Random random = new Random(1);
      for (int i = 0; i < 2_000; i++) {
        long wanted = random.nextLong(documents);
        String found = database.read(snapshot -> {
          Document document = snapshot.get(name(wanted));
          Scan scan = snapshot
              .collection("c")
              .byValue(
                  FieldPath.of("number"), IndexRange.only(Values.of(scattered(wanted))), false);
          return document == null || !document.equals(scan.next()) || scan.hasNext()
              ? "not " + wanted
              : "";
        });
        if (!found.isEmpty()) {
          return found;
        }
      }
      long count = database
          .read(snapshot -> ALL.run(snapshot))
          .getAggregateFieldsOrThrow("all")
          .getIntegerValue();
      return count == documents ? "found all" : "counted " + count;
    }
  }
}
