package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says works: its samples on a real server. */
class PostgresGuideIT {

  private static final Path GUIDE = Path.of("..", "docs", "backends", "postgres.md");

  private static final String BEFORE = """
      import dev.syncguard.lock.*;
      import dev.syncguard.lock.jdbc.*;

      public class Sample {
        static class Ledger {
          void write(String what, Fence fence) {}
        }
        static final Ledger ledger = new Ledger();

        public static void main(String[] arguments) throws Exception {
          var dataSource = new org.postgresql.ds.PGSimpleDataSource();
          dataSource.setUrl(arguments[0]);
          dataSource.setUser(arguments[1]);
          dataSource.setPassword(arguments[2]);
      """;

  @TempDir
  Path directory;

  @Test
  void everySampleCompilesAndRuns() throws Exception {
    List<String> samples = Pattern.compile("```java postgres\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE))
        .results()
        .map(block -> block.group(1))
        .toList();
    assertThat(samples).isNotEmpty();
    try (PostgresDatabase database = new PostgresDatabase()) {
      for (String sample : samples) {
        compileAndRun(sample, database);
      }
      assertThat(database.number("SELECT count(*) FROM syncguard_fence_counters"))
          .isPositive();
    }
  }

  private void compileAndRun(String sample, PostgresDatabase database) throws Exception {
    Path source = Files.createTempDirectory(directory, "sample").resolve("Sample.java");
    Files.writeString(source, BEFORE + sample + "\n  }\n}\n");
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ChildJvm.classPath(),
            source.toString(),
            database.source().getURL(),
            PostgresServer.USER,
            PostgresServer.PASSWORD)
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(sample + "\n" + output).isZero();
  }
}
