package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.store.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks the disk at its first step, then at its second, until a run needs no more steps. */
@Tag("slow")
class FailingDiskTest {
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
      long answered = TwoDocuments.writeUntilItEnds(directory, disk, Fsync.EVERY_COMMIT);
      try (DataDirectory again =
          DataDirectory.open(directory, FailingDisk.never(), Fsync.EVERY_COMMIT, 300)) {
        Database database = TwoDocuments.open(again);
        long x = TwoDocuments.number(database, "x");
        assertThat(x).as("step " + step + ": answered").isGreaterThanOrEqualTo(answered);
        assertThat(TwoDocuments.number(database, "y"))
            .as("step " + step + ": one commit")
            .isEqualTo(x);
      }
      if (!disk.hasFailed()) {
        assertThat(answered).isEqualTo(TwoDocuments.COMMITS);
        assertThat(step).as("steps of a whole run").isGreaterThan(2 * TwoDocuments.COMMITS);
        return;
      }
    }
  }

  @Test
  void aFilledDatabaseIsAllThereOrNotAtAllWhereverTheDiskFails() {
    for (int step = 0; ; step++) {
      Path directory = root.resolve("filled" + step);
      FailingDisk disk = new FailingDisk(step, () -> new IOException("No space left on device"));
      boolean filled = TwoDocuments.fill(directory, disk);
      try (DataDirectory again =
          DataDirectory.open(directory, FailingDisk.never(), Fsync.EVERY_COMMIT, 300)) {
        Database database = TwoDocuments.open(again);
        long x = TwoDocuments.number(database, "x");
        assertThat(TwoDocuments.number(database, "y")).as("step " + step).isEqualTo(x);
        assertThat(x == 0).as("step " + step + ": is empty").isEqualTo(database.isEmpty());
        if (filled) {
          assertThat(x).as("step " + step).isEqualTo(1);
        }
      }
      if (!disk.hasFailed()) {
        assertThat(filled).isTrue();
        assertThat(step).as("steps of a whole run").isGreaterThan(5);
        return;
      }
    }
  }
}
