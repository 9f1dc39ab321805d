package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine finds no more room for its working file, in a process that may write only so much to each file. */
class FullWorkingFileTest {
  private static final int MOST_KIB = 6 << 10;
  private static final DatabaseName NAME = new DatabaseName("p", "d");

  @TempDir
  private Path root;

  @Test
  void aWorkingFileWithoutRoomEndsTheDatabaseInWordsAndLosesNoAnsweredCommit() throws Exception {
    List<String> told = run().lines().toList();
    long answered = Long.parseLong(told.get(0));
    String words = "UNAVAILABLE: The database could not apply a commit; make room on the disk if it"
        + " is full, and start the server again.";
    assertThat(told.get(1)).isEqualTo(words + " That commit may be there then.");
    assertThat(told.get(2)).as("the next commit").isEqualTo(words);
    assertThat(told.get(3)).as("a read").isEqualTo(words);
    assertThat(Files.size(root.resolve("p/d~working"))).isLessThanOrEqualTo(MOST_KIB * 1024L);
    try (DataDirectory again = DataDirectory.open(root, Fsync.NEVER, Long.MAX_VALUE)) {
      Database database = open(again);
      for (long i = 0; i < answered; i++) {
        assertThat(find(database, i)).as("document %s of %s", i, answered).isTrue();
      }
      assertThat(find(database, answered + 1)).isFalse();
    }
  }

  private String run() throws Exception {
    Process process = new ProcessBuilder(
            "bash",
            "-c",
            "ulimit -f " + MOST_KIB + "; exec \"$@\"",
            "bash",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            root.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return output;
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

  private static boolean find(Database database, long number) {
    return database.read(snapshot -> snapshot.get(name(number))) != null;
  }

  private static DocumentName name(long number) {
    return new DocumentName(NAME, "c/d" + number);
  }

  /** Commits documents, whose indexes are larger than they are, until it is refused, and tells what it was told. */
  public static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      try (DataDirectory directory =
          DataDirectory.open(Path.of(arguments[0]), Fsync.NEVER, Long.MAX_VALUE)) {
        Database database = open(directory);
        Random random = new Random(1);
        long answered = 0;
        String refusal = commit(database, answered, random);
        while (refusal.isEmpty()) {
          answered++;
          refusal = commit(database, answered, random);
        }
        System.out.println(answered);
        System.out.println(refusal);
        System.out.println(commit(database, answered + 1, random));
        System.out.println(told(() -> find(database, 0)));
      }
    }

    private static String commit(Database database, long number, Random random) {
      ArrayValue.Builder elements = ArrayValue.newBuilder();
      for (int i = 0; i < 50; i++) {
        elements.addValues(Value.newBuilder().setIntegerValue(random.nextInt()));
      }
      Write write = Write.newBuilder()
          .setUpdate(Document.newBuilder()
              .setName(name(number).toString())
              .putFields("a", Value.newBuilder().setArrayValue(elements).build()))
          .build();
      return told(
          () -> database.commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN));
    }

    private static String told(Runnable task) {
      try {
        task.run();
        return "";
      } catch (FirestoreServerException e) {
        Code code = e.code();
        return code + ": " + e.getMessage();
      }
    }
  }
}
