package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide shows compiles and runs, on an SQLite file, and its links lead somewhere. */
class GuideIT {

  private static final Path ROOT = Path.of("..");

  private static final String BEFORE = """
      import static java.time.Duration.*;

      import dev.syncguard.lock.*;
      import dev.syncguard.lock.jdbc.*;
      import dev.syncguard.lock.memory.*;
      import dev.syncguard.lock.spi.*;
      import dev.syncguard.lock.telemetry.*;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.Optional;

      public class Samples {
        static class Ledger {
          void write(String what, Fence fence) {}
          void transfer(Fence from, Fence to) {}
        }
        static class Report {
          int parts = 3;
          boolean hasNext() { return parts > 0; }
          void writeNext(Fence fence) { parts--; }
          void write(Fence fence) {}
          void stop() {}
          void skip(String why) { throw new AssertionError(why); }
          void later() { throw new AssertionError(); }
        }
        static class Metrics {
          void count(String name, LockException.Code code) {}
          void record(String name, Duration duration) {}
        }
        static final Ledger ledger = new Ledger();
        static final Report report = new Report();
        static final Metrics metrics = new Metrics();

      """;

  @TempDir
  Path directory;

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
      return Stream.of(docs, examples, Stream.of(ROOT.resolve("README.md")))
          .flatMap(pages -> pages)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static List<String> samples() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path page : pages()) {
      all.append(Files.readString(page)).append('\n');
    }
    return Pattern.compile("```java sample\\n(.*?)```", Pattern.DOTALL)
        .matcher(all)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** One program for all of them, since a JVM and a compiler for each would take long. */
  private static String program(List<String> samples) {
    StringBuilder methods = new StringBuilder();
    StringBuilder calls = new StringBuilder();
    IntStream.range(0, samples.size()).forEach(i -> {
      boolean opensItsOwn = samples.get(i).contains("LockBackend backend =");
      methods
          .append("  static void sample%d(%s) throws Exception {\n"
              .formatted(i, opensItsOwn ? "" : "LockBackend backend, Locks locks"))
          .append(samples.get(i))
          .append("\n  }\n");
      calls.append("      sample%d(%s);\n".formatted(i, opensItsOwn ? "" : "backend, locks"));
    });
    return BEFORE + methods + """
          public static void main(String[] arguments) throws Exception {
            try (LockBackend backend = SqliteLockBackend.open(Path.of("guide.db"));
                Locks locks = Locks.over(backend)) {
        """ + calls + "    }\n  }\n}\n";
  }

  @Test
  void everySampleCompilesAndRuns() throws Exception {
    List<String> samples = samples();
    assertThat(samples).hasSizeGreaterThan(12);
    Path source = directory.resolve("Samples.java");
    Files.writeString(source, program(samples));
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ChildJvm.classPath(),
            source.toString())
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }

  @Test
  void everyLinkLeadsToAFileAndItsHeading() throws Exception {
    for (Path page : pages()) {
      for (String link : Pattern.compile("\\]\\(([^)\\s]+)\\)")
          .matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .filter(target -> !target.matches("[a-z]+:.*"))
          .toList()) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        assertThat(target).as("%s links to %s", page, link).exists();
        if (parts.length == 2) {
          assertThat(headings(target)).as("%s links to %s", page, link).contains(parts[1]);
        }
      }
    }
  }

  /** Returns the names that headings have as link targets. */
  private static List<String> headings(Path page) throws IOException {
    return Files.readString(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N} _-]", "")
            .replace(' ', '-'))
        .toList();
  }
}
