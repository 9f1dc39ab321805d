package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it takes to open a data directory depends on the documents in it, not on the length of its log. */
class SmallHeapRecoveryIT {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final int DOCUMENTS = 16;
  private static final int COMMITS = 60_000;

  @TempDir
  private Path root;

  @Test
  void aLogOfFarMoreThanTheHeapIsReadBack() throws Exception {
    try (DataDirectory directory = DataDirectory.open(root, Fsync.NEVER, Long.MAX_VALUE)) {
      Database database = open(directory);
      String text = "x".repeat(900);
      for (int i = 0; i < COMMITS; i++) {
        Write write = Write.newBuilder()
            .setUpdate(Document.newBuilder()
                .setName(name(i % DOCUMENTS).toString())
                .putFields("v", Values.of((long) i))
                .putFields("text", Values.of(text + i)))
            .build();
        database.commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
      }
    }
    assertThat(lastAfterOpening()).isEqualTo("last " + (COMMITS - 1));
  }

  @Test
  void aCommitOfMoreThanTheHeapIsReadBack() throws Exception {
    List<Write> writes = new ArrayList<>();
    String text = "x".repeat(9_000);
    for (int i = 0; i < 8_000; i++) {
      writes.add(Write.newBuilder()
          .setUpdate(Document.newBuilder()
              .setName(name(i).toString())
              .putFields("v", Values.of((long) i))
              .putFields("text", Values.of(text + i)))
          .build());
    }
    try (DataDirectory directory = DataDirectory.open(root, Fsync.NEVER, Long.MAX_VALUE)) {
      open(directory).commit(new WritePlanner(NAME).plan(writes), CommitGate.QUIET);
    }
    // So that it is read from the log.
    Files.delete(root.resolve("p/d~sealed"));
    assertThat(lastAfterOpening()).isEqualTo("last " + (COMMITS - 1) % DOCUMENTS);
  }

  private String lastAfterOpening() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx48m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Reader.class.getName(),
            root.toString())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.strip();
  }

  /** Opens the directory and says what the last commit wrote. */
  public static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) {
      try (DataDirectory directory =
          DataDirectory.open(Path.of(arguments[0]), Fsync.NEVER, Long.MAX_VALUE)) {
        Document last = open(directory)
            .read(
                snapshot -> Objects.requireNonNull(snapshot.get(name((COMMITS - 1) % DOCUMENTS))));
        System.out.println("last " + last.getFieldsOrThrow("v").getIntegerValue());
      }
    }
  }

  private static Database open(DataDirectory directory) {
    return directory.open(
        NAME,
        journal -> new Database(
            NAME,
            journal,
            InstantSource.system(),
            IndexPolicy.EVERYTHING,
            Database.HistoryLimits.DEFAULT));
  }

  private static DocumentName name(int number) {
    return DocumentName.parse(NAME.documents() + "/c/d" + number);
  }
}
