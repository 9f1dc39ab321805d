package dev.syncguard.lock.firestore;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says works: its samples run on a real server. */
class FirestoreGuideIT extends OneFirestore {

  private static final Path GUIDE = Path.of("..", "docs", "backends", "firestore.md");

  private static final String BEFORE = """
      import com.google.cloud.firestore.*;
      import dev.syncguard.lock.*;
      import dev.syncguard.lock.firestore.*;
      import java.time.Duration;

      public class Samples {
        static class Ledger {
          void write(String what, Fence fence) {}
        }
        static final Ledger ledger = new Ledger();
        static final Firestore firestore =
            FirestoreOptions.newBuilder().setProjectId("demo").build().getService();

        public static void main(String[] arguments) throws Exception {
          // A busy machine may need longer to load Google's client than a sample waits for its lock.
          Locks.over(FirestoreLockBackend.over(firestore))
              .lock("first").waitUpTo(Duration.ofMinutes(1)).run(lease -> {});
      """;

  private static final String AFTER = """
          System.exit(0);
        }
      }
      """;

  @Test
  void everySampleCompilesAndRuns(@TempDir Path directory) throws Exception {
    List<String> samples = Pattern.compile("```java firestore\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE))
        .results()
        .map(block -> block.group(1))
        .toList();
    assertThat(samples).hasSizeGreaterThanOrEqualTo(2);
    // All in one process: to start it and to compile takes longer than all that they do.
    String body = samples.stream().map(sample -> "{\n" + sample + "}\n").collect(joining());
    Path source = directory.resolve("Samples.java");
    Files.writeString(source, BEFORE + body + AFTER);
    ProcessBuilder builder = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        Path.of("target", "classes") + File.pathSeparator + System.getProperty("java.class.path"),
        source.toString());
    builder.environment().put("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(body + output).isZero();
  }

  @Test
  void whatTheGuideSetsRaisesTheFenceAfterALossOfData() throws Exception {
    Matcher told = Pattern.compile(
            "set the field `fence` of the document `fence_counters/(\\S+)` to the text `(\\d+)`")
        .matcher(Files.readString(Path.of("..", "docs", "guide", "operating.md")));
    assertThat(told.find()).isTrue();
    fenceDocument(told.group(1)).set(Map.of("fence", told.group(2))).get();
    try (Locks locks = Locks.over(backend);
        Lease lease = locks.lock("payment:42").waitUpTo(Duration.ofMinutes(1)).acquire()) {
      assertThat(lease.fence().value()).isEqualTo(4712);
    }
  }
}
