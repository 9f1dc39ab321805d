package dev.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every Java sample of the README and the guides, and follows every link. */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final String BEFORE = """
      import static java.time.Duration.*;
      import dev.syncguard.lock.*;
      import dev.syncguard.lock.spi.*;
      import dev.syncguard.lock.memory.*;
      import dev.syncguard.lock.telemetry.*;
      import dev.syncguard.lock.jdbc.*;
      import java.nio.file.Path;
      import java.sql.*;
      import java.time.Duration;
      import java.util.*;

      public class Sample {
        /** What the samples protect. */
        static class Resource {
          long highest;
          void write(String what, Fence fence) { write(fence); }
          void write(Fence fence) {
            if (fence.value() < highest) throw new IllegalStateException("a late holder");
            highest = fence.value();
          }
          void stop() {}
        }
        static final Resource ledger = new Resource();
        static final Resource report = new Resource();

        public static void main(String[] arguments) throws Exception {
      """;

  /** What samples that need a server use without saying where it comes from; those are compiled, but not run. */
  private static final Map<String, String> GIVEN = Map.of(
      "postgres", "javax.sql.DataSource dataSource = null;",
      "console", "java.net.URI address = null; LockBackend store = null;",
      "sync", "");

  @TempDir
  Path directory;

  private static List<Path> documents() throws IOException {
    try (Stream<Path> guides = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      return Stream.concat(top, guides)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  @Test
  void everySampleCompilesAndRuns() throws Exception {
    List<String> samples = new ArrayList<>();
    for (Path document : documents()) {
      Matcher blocks =
          Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(document));
      while (blocks.find()) {
        samples.add(blocks.group(1));
      }
    }
    assertThat(samples).isNotEmpty();
    for (String sample : samples) {
      compileAndRun(sample);
    }
  }

  @Test
  void everySampleThatNeedsAServerCompiles() throws Exception {
    List<String> compiled = new ArrayList<>();
    for (Path document : documents()) {
      Matcher blocks = Pattern.compile("```java (\\S+)\n(.*?)```", Pattern.DOTALL)
          .matcher(Files.readString(document));
      while (blocks.find()) {
        String given = GIVEN.get(blocks.group(1));
        if (given != null) {
          compile(
              "import dev.syncguard.sync.jvm.*; import dev.syncguard.sync.*; import dev.syncguard.console.*;",
              given + blocks.group(2));
          compiled.add(blocks.group(1));
        }
      }
    }
    assertThat(compiled).containsAll(GIVEN.keySet());
  }

  private void compileAndRun(String sample) throws Exception {
    Path place = compile("", sample);
    String classPath = System.getProperty("java.class.path");
    Process process = new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            place + File.pathSeparator + classPath,
            "Sample")
        .directory(place.toFile())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(sample + "\n" + output).isZero();
  }

  private Path compile(String imports, String sample) throws IOException {
    Path place = Files.createTempDirectory(directory, "sample");
    Path source = place.resolve("Sample.java");
    Files.writeString(source, imports + BEFORE + sample + "\n  }\n}\n");
    int errors = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            place.toString(),
            source.toString());
    assertThat(errors).as(sample).isZero();
    return place;
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\((?!https?:)([^)#]+)");
    for (Path document : documents()) {
      Matcher links = link.matcher(Files.readString(document));
      while (links.find()) {
        assertThat(document.resolveSibling(links.group(1)))
            .as("a link in %s", ROOT.relativize(document))
            .exists();
      }
    }
  }
}
