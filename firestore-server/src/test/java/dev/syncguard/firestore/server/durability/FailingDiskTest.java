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
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks the disk at its first step, then at its second, until a run needs no more steps. */
class FailingDiskTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final int COMMITS = 12;

  @TempDir
  private Path root;

  @Test
  void aDiskThatIsFullAtAnyStepLosesNoAnsweredCommit() {
    breakEveryStep(() -> new IOException("No space left on device"));
  }

  @Test
  void anErrorInTheWriterAtAnyStepLosesNoAnsweredCommit() {
    breakEveryStep(() -> new OutOfMemoryError("Cannot reserve direct buffer memory"));
  }

  private void breakEveryStep(Supplier<Throwable> failure) {
    for (int step = 0; ; step++) {
      Path directory = root.resolve("step" + step);
      FailingDisk disk = new FailingDisk(step, failure);
      long answered = run(directory, disk);
      try (DataDirectory again = DataDirectory.open(directory, Fsync.EVERY_COMMIT, 300)) {
        Database database = open(again);
        long x = number(database, "x");
        assertThat(x).as("step " + step + ": answered").isGreaterThanOrEqualTo(answered);
        assertThat(number(database, "y")).as("step " + step + ": one commit").isEqualTo(x);
      }
      if (!disk.hasFailed()) {
        assertThat(answered).isEqualTo(COMMITS);
        assertThat(step).as("steps of a whole run").isGreaterThan(2 * COMMITS);
        return;
      }
    }
  }

  /** Commits on after failures, as a server does, and returns the highest number that was answered. */
  private static long run(Path root, Disk disk) {
    long answered = 0;
    try (DataDirectory directory = DataDirectory.open(root, disk, Fsync.EVERY_COMMIT, 300)) {
      Database database = open(directory);
      for (int i = 1; i <= COMMITS; i++) {
        try {
          database.commit(
              new WritePlanner(NAME).plan(List.of(write("x", i), write("y", i))), CommitGate.OPEN);
          answered = i;
        } catch (RuntimeException | Error e) {
          // Not answered; what became of it is open.
        }
        try {
          directory.maintain();
        } catch (RuntimeException | Error e) {
          // Is tried again.
        }
      }
    } catch (RuntimeException | Error e) {
      // It could not even be opened or closed.
    }
    return answered;
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

  private static long number(Database database, String id) {
    Document document = database.read(snapshot -> snapshot.get(name(id)));
    return document == null ? 0 : document.getFieldsOrThrow("v").getIntegerValue();
  }

  private static Write write(String id, long number) {
    return Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(name(id).toString()).putFields("v", Values.of(number)))
        .build();
  }

  private static DocumentName name(String id) {
    return DocumentName.parse(NAME.documents() + "/c/" + id);
  }
}
