package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says works: its samples on a real server, and its list of permissions. */
class RedisGuideIT extends OneServer {

  private static final Path GUIDE = Path.of("..", "docs", "backends", "redis.md");

  private static final String BEFORE = """
      import dev.syncguard.lock.*;
      import dev.syncguard.lock.redis.*;
      import java.time.Duration;
      import redis.clients.jedis.RedisClient;

      public class Sample {
        static class Ledger {
          void write(String what, Fence fence) {}
        }
        static final Ledger ledger = new Ledger();

        public static void main(String[] arguments) throws Exception {
      """;

  @TempDir
  Path directory;

  @Test
  void everySampleCompilesAndRuns() throws Exception {
    List<String> samples = blocks("java redis");
    assertThat(samples).hasSizeGreaterThanOrEqualTo(2);
    for (String sample : samples) {
      compileAndRun(sample.replace("redis://localhost:6379", server.url()));
    }
  }

  private static List<String> blocks(String language) throws Exception {
    return Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private void compileAndRun(String sample) throws Exception {
    Path place = Files.createTempDirectory(directory, "sample");
    Path source = place.resolve("Sample.java");
    Files.writeString(source, BEFORE + sample + "\n  }\n}\n");
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ClassPath.ours(),
            source.toString())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(sample + "\n" + output).isZero();
  }

  @Test
  void thePermissionsOfTheGuideAreEnoughForWaiting() throws Exception {
    String command = blocks("text").stream()
        .filter(block -> block.startsWith("ACL SETUSER"))
        .findFirst()
        .orElseThrow();
    List<String> words = List.of(command.replace("PASSWORD", "canary").trim().split("\\s+"));
    jedis.aclSetUser(words.get(2), words.subList(3, words.size()).toArray(String[]::new));
    String url = "redis://locks:canary@127.0.0.1:" + server.port();
    try (RedisLockBackend one = RedisLockBackend.connect(url);
        RedisLockBackend two = RedisLockBackend.connect(url);
        Locks locks = Locks.over(one);
        Locks others = Locks.over(two)) {
      var lease = locks.lock("report").acquire();
      var waiting = others.lock("report").acquireAsync();
      assertThat(RedisProcess.await(() -> jedis.exists("syncguard:report\0line")))
          .isTrue();
      assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();
      assertThat(lease.release()).isTrue();
      waiting.get(1, TimeUnit.MINUTES).close();
      assertThat(jedis.aclLog()).isEmpty();
    } finally {
      jedis.aclDelUser("locks");
    }
  }

  @Test
  void theCommandOfTheGuideRaisesTheFenceAfterALossOfData() throws Exception {
    Matcher block = Pattern.compile("```redis\\nSET (\\S+) (\\d+)\\n```")
        .matcher(Files.readString(Path.of("..", "docs", "guide", "operating.md")));
    assertThat(block.find()).isTrue();
    jedis.set(block.group(1), block.group(2));
    try (Locks locks = Locks.over(backend);
        var lease = locks.lock("payment:42").waitUpTo(Duration.ofMinutes(1)).acquire()) {
      assertThat(lease.fence().value()).isEqualTo(4712);
    }
  }
}
