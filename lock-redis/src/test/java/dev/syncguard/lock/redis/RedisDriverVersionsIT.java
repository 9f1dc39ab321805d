package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/** The backend runs on the drivers that Spring Boot 3.5 (6.0), 4.0 (7.0) and 4.1 (7.4) bring, not only on our own. */
class RedisDriverVersionsIT extends OneServer {

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "7.0.0", "7.4.1"})
  void aUrlIsEnough(String version) throws Exception {
    assertThat(run(version, server.url(), "0")).contains("everything works");
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "7.0.0", "7.4.1"})
  void theApplicationsOwnClientDoesToo(String version) throws Exception {
    assertThat(run(
            version, "client", "redis.clients.jedis.JedisPooled", Integer.toString(server.port())))
        .contains("everything works");
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "7.0.0", "7.4.1"})
  void sentinelAndReplicasWork(String version) throws Exception {
    try (RedisProcess primary =
            RedisProcess.start(RedisBinary.SYSTEM, "--repl-diskless-sync-delay", "0");
        RedisProcess replica =
            RedisProcess.start(RedisBinary.SYSTEM, "--replicaof", "127.0.0.1 " + primary.port());
        RedisProcess sentinel = RedisProcess.sentinel(RedisBinary.SYSTEM, primary)) {
      assertThat(replica.pid()).isPositive();
      assertThat(run(version, "redis+sentinel://127.0.0.1:" + sentinel.port() + "/mymaster", "1"))
          .contains("everything works");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "7.0.0", "7.4.1"})
  void aClusterWorks(String version) throws Exception {
    try (RedisProcess node = RedisProcess.start(RedisBinary.SYSTEM, "--cluster-enabled", "yes");
        Jedis admin = node.jedis()) {
      admin.clusterAddSlots(IntStream.range(0, 16_384).toArray());
      assertThat(RedisProcess.await(() -> admin.clusterInfo().contains("cluster_state:ok")))
          .isTrue();
      assertThat(run(version, "redis+cluster://127.0.0.1:" + node.port(), "0"))
          .contains("everything works");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "7.0.0", "7.4.1"})
  void whatIsWrongIsToldInTheSameWords(String version) throws Exception {
    assertThat(run(version, server.url() + "/99", "0")).contains("no database of this number");
    assertThat(run(version, "rediss://127.0.0.1:" + server.port(), "0"))
        .contains("does not encrypt on this port");
    assertThat(run(version, "redis://nobody:secret@127.0.0.1:" + server.port(), "0"))
        .contains("refused us (WRONGPASS)");
  }

  private static String run(String version, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        classPathWith(version),
        DriverRound.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }

  private static String classPathWith(String version) {
    Path driver = Path.of("target", "drivers", "jedis-" + version + ".jar").toAbsolutePath();
    assertThat(driver).exists();
    return Stream.concat(
            Stream.of(driver.toString()),
            Arrays.stream(ClassPath.ours().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*jedis-[0-9.]+\\.jar")))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
