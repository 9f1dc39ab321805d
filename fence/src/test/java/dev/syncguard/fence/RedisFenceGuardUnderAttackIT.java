package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/** What careless neighbours, many writers and a limping server do to the guard of Redis values. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisFenceGuardUnderAttackIT {

  private static final String KEY = "report";
  private static final Fence FENCE = new Fence(42);

  private static RedisProcess server;
  private static RedisClient client;

  private RedisFenceGuard guard;

  @BeforeAll
  static void start() throws Exception {
    server = new RedisProcess();
    client = RedisClient.create(server.url());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void forgetEverything() {
    client.flushAll();
    guard = RedisFenceGuard.over(client::eval);
  }

  /** Lua takes many things for numbers; with NaN every comparison is false. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "nan",
        "inf",
        "-inf",
        "-1",
        "0",
        "0x29",
        "41.5",
        "1e3",
        " 41",
        "41 ",
        "",
        "9999999999999999"
      })
  void whatIsNoFenceInTheFenceKeyLetsNobodyInAndIsNotCalledALaterHolder(String damaged) {
    client.set(RedisFenceGuard.fenceKey(KEY), damaged);
    assertThatThrownBy(() -> guard.write(FENCE, KEY, "written"))
        .isInstanceOf(JedisDataException.class)
        .hasMessageContaining("fence");
    assertThatThrownBy(() -> guard.delete(FENCE, KEY)).isInstanceOf(JedisDataException.class);
    assertThat(client.get(KEY)).isNull();
    assertThat(client.get(RedisFenceGuard.fenceKey(KEY))).isEqualTo(damaged);
  }

  @Test
  void aFenceKeyOfAnotherTypeLetsNobodyIn() {
    client.rpush(RedisFenceGuard.fenceKey(KEY), "41");
    assertThatThrownBy(() -> guard.write(FENCE, KEY, "written"))
        .isInstanceOf(JedisDataException.class);
    assertThat(client.get(KEY)).isNull();
  }

  @Test
  void aValueOfAnotherTypeIsReplacedOrDeletedAsAWhole() {
    client.rpush(KEY, "a", "list");
    guard.write(FENCE, KEY, "written");
    assertThat(client.get(KEY)).isEqualTo("written");
    client.del(KEY);
    client.rpush(KEY, "a", "list");
    guard.delete(FENCE, KEY);
    assertThat(client.exists(KEY)).isFalse();
  }

  @Test
  void differentKeysNeverShareAFenceNorAreOneAnothersFence() {
    List<String> keys = List.of(
        "a",
        "{a}",
        "{a}:b",
        "a:fence",
        "{a}:fence",
        "{a}:b:fence",
        "fence:a",
        "fence:{a}",
        "{fence}",
        "x{a}",
        "x{a}y");
    Set<String> names = new HashSet<>();
    for (String key : keys) {
      try {
        names.add(RedisFenceGuard.fenceKey(key));
        names.add(key);
      } catch (IllegalArgumentException refused) {
        // A name that is the fence of another key.
        names.add(key + " has no fence, and its own name stays free for one");
        names.add(key + " is refused");
      }
    }
    assertThat(names).hasSize(2 * keys.size());
  }

  @Test
  void amongManyWritersTheHighestFenceRemainsWithItsValue() throws Exception {
    List<Callable<Boolean>> writers = LongStream.rangeClosed(1, 64)
        .map(n -> 1 + n * 37 % 64 / 2)
        .<Callable<Boolean>>mapToObj(n -> () -> {
          try {
            guard.write(new Fence(n), KEY, "by " + n);
            return true;
          } catch (StaleFenceException late) {
            return false;
          }
        })
        .toList();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      long passed = 0;
      for (var writer : threads.invokeAll(writers)) {
        passed += writer.get() ? 1 : 0;
      }
      assertThat(passed).isPositive();
    } finally {
      threads.shutdownNow();
    }
    assertThat(client.get(KEY)).isEqualTo("by 32");
    assertThat(client.get(RedisFenceGuard.fenceKey(KEY))).endsWith("0032");
  }

  @Test
  void aServerThatForgotItsScriptsAndDroppedItsConnectionsGoesOnGuarding() {
    guard.write(FENCE, KEY, "one");
    client.scriptFlush();
    guard.write(FENCE, KEY, "two");
    dropAllConnections();
    assertThatThrownBy(() -> eventually(() -> guard.write(new Fence(41), KEY, "late")))
        .isInstanceOf(StaleFenceException.class);
    eventually(() -> guard.write(FENCE, KEY, "three"));
    assertThat(client.get(KEY)).isEqualTo("three");
  }

  private static void dropAllConnections() {
    try (RedisClient other = RedisClient.create(server.url())) {
      other.eval("return redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')");
    } catch (RuntimeException itDroppedItsOwn) {
      assertThat(itDroppedItsOwn).isNotNull();
    }
  }

  /** A client may notice a dropped connection only when it uses it. */
  private static void eventually(Runnable write) {
    for (int i = 0; ; i++) {
      try {
        write.run();
        return;
      } catch (redis.clients.jedis.exceptions.JedisConnectionException e) {
        if (i == 20) {
          throw e;
        }
      }
    }
  }

  @Test
  void aServerWithoutMemoryLeavesValueAndFenceAsTheyWere() {
    guard.write(new Fence(41), KEY, "before");
    client.configSet("maxmemory", "1");
    try {
      assertThatThrownBy(() -> guard.write(FENCE, KEY, "after"))
          .isInstanceOf(JedisDataException.class);
    } finally {
      client.configSet("maxmemory", "0");
    }
    assertThat(client.get(KEY)).isEqualTo("before");
    guard.write(new Fence(41), KEY, "still 41");
    assertThat(client.get(KEY)).isEqualTo("still 41");
  }

  @Test
  void aValueMayContainAnything() {
    String value = "'] \0 \r\n $6 redis.call('FLUSHALL') ä 🔒".repeat(1000);
    guard.write(FENCE, KEY, value);
    assertThat(client.get(KEY)).isEqualTo(value);
  }

  @Test
  void aClientThatAnswersWithSomethingElseIsToldThatTheOutcomeIsUnknown() {
    for (Object odd : new Object[] {1, "1", List.of(1L), 7L}) {
      assertThatThrownBy(() ->
              RedisFenceGuard.over((script, keys, arguments) -> odd).write(FENCE, KEY, "value"))
          .as("%s", odd)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("may have been written");
    }
  }
}
