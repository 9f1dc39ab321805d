package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.LateHolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.JedisClusterCRC16;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisFenceGuardIT {

  private static final String KEY = "report";
  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);

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

  @Test
  void aHolderMayWriteMoreThanOnceAndTheNextOneAfterIt() {
    guard.write(FIRST, KEY, "one");
    guard.write(FIRST, KEY, "two");
    assertThat(client.get(KEY)).isEqualTo("two");
    guard.write(SECOND, KEY, "three");
    assertThat(client.get(KEY)).isEqualTo("three");
  }

  @Test
  void aLowerFenceIsRefusedAndChangesNothing() {
    guard.write(SECOND, KEY, "second");
    assertThatThrownBy(() -> guard.write(FIRST, KEY, "late"))
        .isInstanceOfSatisfying(
            StaleFenceException.class, e -> assertThat(e.fence()).isEqualTo(FIRST));
    assertThatThrownBy(() -> guard.delete(FIRST, KEY)).isInstanceOf(StaleFenceException.class);
    assertThat(client.get(KEY)).isEqualTo("second");
  }

  @Test
  void aValueThatWasDeletedIsStillGuarded() {
    guard.write(SECOND, KEY, "second");
    guard.delete(SECOND, KEY);
    assertThatThrownBy(() -> guard.write(FIRST, KEY, "late"))
        .isInstanceOf(StaleFenceException.class);
    assertThat(client.get(KEY)).isNull();
  }

  @Test
  void fencesAreComparedAsNumbersUpToTheLast() {
    guard.write(new Fence(9), KEY, "nine");
    guard.write(new Fence(10), KEY, "ten");
    guard.write(new Fence(Fence.MAX), KEY, "last");
    assertThatThrownBy(() -> guard.write(new Fence(Fence.MAX - 1), KEY, "late"))
        .isInstanceOf(StaleFenceException.class);
  }

  @Test
  void aFenceThatSomebodyDamagedLetsNobodyIn() {
    client.set(RedisFenceGuard.fenceKey(KEY), "what is this");
    assertThatThrownBy(() -> guard.write(SECOND, KEY, "second"))
        .isInstanceOf(JedisDataException.class);
    assertThat(client.get(KEY)).isNull();
  }

  @Test
  void theFenceLiesInTheHashSlotOfItsKey() {
    for (String key : List.of("report", "a{b", "{user:7}:cart", "x{y}z", "{{a}b", "ä ö")) {
      assertThat(JedisClusterCRC16.getSlot(RedisFenceGuard.fenceKey(key)))
          .as(key)
          .isEqualTo(JedisClusterCRC16.getSlot(key));
    }
    for (String key : List.of("", "a}b", "{}x", "{}{b}")) {
      assertThatThrownBy(() -> RedisFenceGuard.fenceKey(key))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void itIsOneLineWithALockAndALostLeaseIsRefusedBeforeRedisIsAsked() {
    RedisFenceGuard unreachable = RedisFenceGuard.over((script, keys, arguments) -> {
      throw new AssertionError("Redis was asked");
    });
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks.lock(KEY).run(lease -> guard.write(lease, KEY, "held"));
      assertThat(client.get(KEY)).isEqualTo("held");
      Lease lost = locks.lock(KEY).acquire();
      lost.release();
      assertThatThrownBy(() -> unreachable.write(lost, KEY, "late"))
          .isInstanceOf(LeaseLostException.class);
      assertThatThrownBy(() -> unreachable.delete(lost, KEY))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aHolderThatWasStoppedBeyondItsTtlIsRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(file);
        ChildJvm holder = ChildJvm.run(RedisHolder.class, server.url(), file, KEY)) {
      assertThat(LateHolder.stopBeyondItsTtl(
              holder, backend, KEY, lease -> guard.write(lease, KEY, "second")))
          .containsExactly("LeaseLostException", "StaleFenceException");
    }
    assertThat(client.get(KEY)).isEqualTo("second");
  }
}
