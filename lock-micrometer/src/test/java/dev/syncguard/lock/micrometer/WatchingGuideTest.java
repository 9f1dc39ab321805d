package dev.syncguard.lock.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide shows of metrics and traces compiles, runs and counts. */
class WatchingGuideTest {

  private static final String PROGRAM = """
      import dev.syncguard.lock.*;
      import dev.syncguard.lock.memory.MemoryLockBackend;
      import dev.syncguard.lock.micrometer.*;
      import dev.syncguard.lock.opentelemetry.LockSpans;
      import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
      import io.micrometer.observation.ObservationRegistry;
      import io.opentelemetry.api.OpenTelemetry;

      public class Guide {
        static class Report {
          void write(Fence fence) {}
        }

        public static void main(String[] arguments) {
          var registry = new SimpleMeterRegistry();
          var observationRegistry = ObservationRegistry.create();
          var openTelemetry = OpenTelemetry.noop();
          var backend = new MemoryLockBackend();
          var report = new Report();
          %s
          System.out.println(registry.get("syncguard.lock.hold").tag("end", "released").timer().count());
        }
      }
      """;

  @Test
  void itsSamplesRun(@TempDir Path directory) throws Exception {
    List<String> samples = Pattern.compile("```java metrics\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("..", "docs", "guide", "watching.md")))
        .results()
        .map(block -> block.group(1))
        .toList();
    assertThat(samples).hasSize(3);
    Path source = directory.resolve("Guide.java");
    Files.writeString(source, PROGRAM.formatted(String.join("\n", samples)));
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ChildJvm.classPath(),
            source.toString())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).endsWith("1\n");
  }
}
