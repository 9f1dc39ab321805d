package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.store.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cuts the power before the first step of the disk, then before its second, until a run needs no more steps. */
@Tag("slow")
class PowerCutTest {
  private static final int VARIANTS = 2;

  @TempDir
  private Path temporary;

  @ParameterizedTest
  @EnumSource(Fsync.class)
  void whateverAPowerCutLeavesOpensWithWholeCommitsAndAllThatWereAnsweredAsForced(Fsync fsync)
      throws IOException {
    int step = 0;
    boolean cut = true;
    while (cut) {
      for (int variant = 0; variant < VARIANTS; variant++) {
        Path root = temporary.resolve(step + "-" + variant).resolve("data");
        Path bin = Files.createDirectories(root.resolveSibling("bin"));
        PowerCutDisk disk = new PowerCutDisk(step, bin);
        long answered = TwoDocuments.writeUntilItEnds(root, disk, fsync);
        cut = disk.isOff();
        disk.lose(root, new Random(1000L * step + variant));
        String where = fsync + " step " + step + " variant " + variant;
        try (DataDirectory directory = DataDirectory.open(root, FailingDisk.never(), fsync, 300)) {
          Database database = TwoDocuments.open(directory);
          long x = TwoDocuments.number(database, "x");
          assertThat(x).as(where).isEqualTo(TwoDocuments.number(database, "y"));
          if (fsync == Fsync.EVERY_COMMIT || !cut) {
            assertThat(x).as(where).isGreaterThanOrEqualTo(answered);
          }
          assertThat(directory.recoveries().get(0).losses())
              .as(where)
              .noneMatch(loss -> loss.contains("corrupt"));
        }
      }
      step++;
    }
    assertThat(step).as("steps of a whole run").isGreaterThan(TwoDocuments.COMMITS);
  }
}
