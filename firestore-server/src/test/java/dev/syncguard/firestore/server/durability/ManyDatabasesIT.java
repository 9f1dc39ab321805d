package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Databases of one directory share the heap: many small ones fit into it, and so do several large ones. */
class ManyDatabasesIT {
  @TempDir
  private Path root;

  @ParameterizedTest
  @CsvSource({"150, 1, 64", "16, 6000, 64"})
  void manyDatabasesAreWrittenReadClosedAndOpenedAgain(int databases, int documents, int megabytes)
      throws Exception {
    assertThat(run("write", databases, documents, megabytes)).isEqualTo("done");
    assertThat(run("read", databases, documents, megabytes)).isEqualTo("done");
  }

  private String run(String what, int databases, int documents, int megabytes) throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + megabytes + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Worker.class.getName(),
            root.toString(),
            what,
            Integer.toString(databases),
            Integer.toString(documents))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return output.strip();
  }

  /** Opens all databases at once, writes or counts their documents, and closes them. */
  public static final class Worker {
    private static final int BATCH = 500;

    private Worker() {}

    public static void main(String[] arguments) {
      boolean write = arguments[1].equals("write");
      int documents = Integer.parseInt(arguments[3]);
      try (DataDirectory directory =
          DataDirectory.open(Path.of(arguments[0]), Fsync.NEVER, 64L << 20)) {
        List<Database> opened = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
          opened.add(open(directory, new DatabaseName("p", "d" + i)));
          if (write) {
            write(opened.get(i), documents);
          }
        }
        opened.forEach(database -> requireAll(database, documents));
      }
      System.out.println("done");
    }

    private static Database open(DataDirectory directory, DatabaseName name) {
      return directory.open(
          name,
          journal -> new Database(
              name,
              journal,
              InstantSource.system(),
              IndexPolicy.EVERYTHING,
              Database.HistoryLimits.DEFAULT));
    }

    private static void write(Database database, int documents) {
      WritePlanner planner = new WritePlanner(database.name());
      for (int start = 0; start < documents; start += BATCH) {
        List<Write> writes = new ArrayList<>();
        for (int i = start; i < Math.min(documents, start + BATCH); i++) {
          writes.add(Write.newBuilder()
              .setUpdate(Document.newBuilder()
                  .setName(database.name().documents() + "/c/" + i)
                  .putFields("text", Values.of(("" + i).repeat(200))))
              .build());
        }
        database.commit(planner.plan(writes), CommitGate.OPEN);
      }
    }

    private static void requireAll(Database database, int documents) {
      int found = database.read(snapshot -> {
        int count = 0;
        var scan = snapshot.collection("c").byName(null, null, false);
        while (scan.hasNext()) {
          scan.next();
          count++;
        }
        return count;
      });
      if (found != documents) {
        throw new IllegalStateException("Found " + found + " documents of " + database.name());
      }
    }
  }
}
