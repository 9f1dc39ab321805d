package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Database;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashIT {
  /** {@code torture/campaign kills} asks for more. */
  private static final int ROUNDS = Integer.getInteger("syncguard.kills", 12);

  @TempDir
  private Path root;

  @ParameterizedTest
  @EnumSource(Fsync.class)
  void afterManyKillsEveryAnsweredCommitIsThereAndNoHalfOne(Fsync fsync) throws Exception {
    Random random = new Random(1);
    long stored = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long answered = writeUntilKilled(stored, fsync, 1 + random.nextInt(120));
      try (DataDirectory directory = DataDirectory.open(root, fsync, 20_000)) {
        Database database = CrashingWriter.open(directory);
        long x = number(database, "x");
        assertThat(x)
            .as("round " + round + ": both documents of a commit")
            .isEqualTo(number(database, "y"));
        assertThat(x).as("round " + round + ": answered commits").isGreaterThanOrEqualTo(answered);
        stored = x;
      }
    }
    assertThat(stored).isGreaterThan(ROUNDS);
    if (Boolean.getBoolean("syncguard.failover.tell")) {
      System.out.println("FAILOVER kills of a writer with fsync " + fsync + ": " + ROUNDS
          + ", answered commits " + stored + ", lost 0");
    }
  }

  /** Kills the writer after it has answered so many commits, and returns the last number it answered. */
  private long writeUntilKilled(long from, Fsync fsync, int commits) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "-cp",
        System.getProperty("java.class.path"),
        CrashingWriter.class.getName(),
        root.toString(),
        Long.toString(from),
        fsync.name());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    long answered = from;
    try (BufferedReader output = process.inputReader()) {
      @Nullable String line = output.readLine();
      for (int i = 0; line != null; i++) {
        answered = Long.parseLong(line);
        if (i == commits) {
          process.toHandle().destroyForcibly(); // SIGKILL; what it has said can still be read
        }
        line = lastWhole(output);
      }
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return answered;
  }

  private static @Nullable String lastWhole(BufferedReader output) throws Exception {
    @Nullable String line = output.readLine();
    return line == null || line.isEmpty() ? null : line;
  }

  private static long number(Database database, String id) {
    Document document = database.read(
        snapshot -> snapshot.get(DocumentName.parse(CrashingWriter.NAME.documents() + "/c/" + id)));
    return document == null ? 0 : document.getFieldsOrThrow("v").getIntegerValue();
  }
}
