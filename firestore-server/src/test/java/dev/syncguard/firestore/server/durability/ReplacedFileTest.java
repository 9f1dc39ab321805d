package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplacedFileTest {
  private static final int VARIANTS = 8;

  @TempDir
  private Path temporary;

  @Test
  void whatWasNeverWrittenHasNoLines() throws IOException {
    assertThat(new ReplacedFile(temporary, "progress", Disk.REAL).lines()).isEmpty();
  }

  @Test
  void aPowerCutAtAnyStepLeavesTheLastTextThatWasConfirmedOrTheNextAsAWhole() throws IOException {
    int step = 0;
    boolean cut = true;
    while (cut) {
      for (int variant = 0; variant < VARIANTS; variant++) {
        Path root = Files.createDirectories(temporary.resolve(step + "-" + variant));
        PowerCutDisk disk = new PowerCutDisk(step, Files.createDirectory(root.resolve("bin")));
        int confirmed = replaceThreeTimes(new ReplacedFile(root, "progress", disk));
        cut = disk.isOff();
        disk.lose(root, new Random(1000L * step + variant));
        List<String> lines = new ReplacedFile(root, "progress", Disk.REAL).lines();
        assertThat(lines)
            .as("step " + step + " variant " + variant)
            .isIn(text(confirmed), text(Math.min(confirmed + 1, 3)));
      }
      step++;
    }
    assertThat(step).as("steps of a whole run").isGreaterThan(3 * 5);
  }

  private static int replaceThreeTimes(ReplacedFile file) {
    int confirmed = 0;
    try {
      while (confirmed < 3) {
        file.replace(String.join("\n", text(confirmed + 1)));
        confirmed++;
      }
    } catch (IOException e) {
      // The power is off.
    }
    return confirmed;
  }

  private static List<String> text(int number) {
    return number == 0 ? List.of() : List.of("a " + number, "b " + number);
  }
}
