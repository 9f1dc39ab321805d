package dev.syncguard.firestore.server.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a data directory that is killed again and again owes its triggers no event in the end. */
@Timeout(600)
class KilledTriggersIT {
  private static final int ROUNDS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir
  private Path directory;

  @Test
  void everyCommitThatWasAnsweredIsToldAtLeastOnceInItsOrderAndUnderOneId() throws Exception {
    Random random = new Random(1);
    int last = 0;
    for (int round = 0; round < ROUNDS; round++) {
      last = writeUntilKilled(last + 1, 40 + random.nextInt(40));
    }
    Set<Integer> written = new TreeSet<>();
    try (FirestoreServer server = open(directory);
        Firestore client = client(server)) {
      client.collection("c").get().get().forEach(found -> written.add(number(found.getId())));
      assertThat(server.awaitTriggers(PATIENCE)).isTrue();
    }
    assertThat(written).as("the last that was answered").contains(last);
    Map<Integer, Set<String>> told = new LinkedHashMap<>();
    for (String line : Files.readAllLines(told(directory))) {
      String[] words = line.split(" ", 2);
      told.computeIfAbsent(number(words[0]), any -> new LinkedHashSet<>()).add(words[1]);
    }
    assertThat(told.keySet()).as("in their order, without gaps").containsExactlyElementsOf(written);
    assertThat(told.values()).as("ids").allSatisfy(ids -> assertThat(ids).hasSize(1));
  }

  /** Kills the writer after it has answered so many commits, and returns the last one that it answered. */
  private int writeUntilKilled(int from, int commits) throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            directory.toString(),
            Integer.toString(from))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    int answered = from - 1;
    try (BufferedReader output = process.inputReader()) {
      for (@Nullable String line = output.readLine(); line != null; line = output.readLine()) {
        answered = number(line);
        if (answered == from + commits) {
          process.toHandle().destroyForcibly(); // SIGKILL; what it has said can still be read
        }
      }
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(answered)
        .as("it was killed, and did not end by itself")
        .isGreaterThanOrEqualTo(from + commits);
    return answered;
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private static Path told(Path directory) {
    return directory.resolve("told");
  }

  private static Firestore client(FirestoreServer server) {
    return FirestoreOptions.newBuilder()
        .setProjectId("p")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
  }

  /** Opens the server with a trigger that fails at every event at first, so that it falls behind. */
  private static FirestoreServer open(Path directory) {
    Set<String> failed = new LinkedHashSet<>();
    return FirestoreServer.builder()
        .dataDirectory(directory.resolve("data"))
        .onDocumentWritten("c/{n}", event -> {
          if (failed.add(event.id())) {
            throw new IOException("not yet");
          }
          Files.writeString(
              told(directory),
              event.name().id() + " " + event.id() + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
        })
        .start();
  }

  /** Commits one document after the other, and says so, until it is killed. */
  public static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws Exception {
      FirestoreServer server = open(Path.of(arguments[0]));
      Firestore client = client(server);
      for (int n = number(arguments[1]); ; n++) {
        client.document("c/" + n).set(Map.of("n", n)).get();
        System.out.println(n);
      }
    }
  }
}
