package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Three nodes, and a prefix that keeps all locks on one of them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisClusterIT {

  private static final int NODES = 3;
  private static final int SLOTS = 16384;
  private static final Ttl TTL = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();
  private static final List<RedisProcess> NODE_LIST = new ArrayList<>();

  @BeforeAll
  static void start() {
    for (int i = 0; i < NODES; i++) {
      NODE_LIST.add(RedisProcess.start(RedisBinary.SYSTEM, "--cluster-enabled", "yes"));
    }
    for (int i = 0; i < NODES; i++) {
      try (Jedis jedis = NODE_LIST.get(i).jedis()) {
        jedis.clusterAddSlots(
            IntStream.range(i * SLOTS / NODES, (i + 1) * SLOTS / NODES).toArray());
        jedis.clusterMeet("127.0.0.1", NODE_LIST.get(0).port());
      }
    }
    for (RedisProcess node : NODE_LIST) {
      try (Jedis jedis = node.jedis()) {
        assertThat(RedisProcess.await(() -> jedis.clusterInfo().contains("cluster_state:ok")
                && jedis.clusterInfo().contains("cluster_known_nodes:" + NODES)))
            .isTrue();
      }
    }
  }

  @AfterAll
  static void stop() {
    NODE_LIST.forEach(RedisProcess::close);
  }

  private static String url() {
    return NODE_LIST.stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "redis+cluster://", ""));
  }

  private static RedisLockBackend open() {
    return RedisLockBackend.builder(url()).keyPrefix("{syncguard}").build();
  }

  private static LockId newId() {
    return LockId.random(new SecureRandom());
  }

  @Test
  void everyOperationWorksOnACluster() {
    try (RedisLockBackend backend = open()) {
      for (String text : List.of("report", "{other}tag", "fence:{syncguard}:report", "a/b")) {
        LockKey key = LockKey.of(text);
        LockId id = newId();
        assertThat(backend.acquire(key, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
        assertThat(backend.isLocked(key, NEVER)).isTrue();
        assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isPresent();
        assertThat(backend.extend(id, TTL, NEVER)).isInstanceOf(ExtendResult.Extended.class);
        assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
      }
      LockId listed = newId();
      backend.acquire(LockKey.of("listed"), listed, TTL, NEVER);
      assertThat(backend.listing().orElseThrow().live(10, NEVER)).hasSize(1);
      backend.release(listed, NEVER);
      assertThat(backend.storeCheck().orElseThrow().examine(NEVER))
          .noneMatch(finding -> finding.severity() == Severity.FAILURE);
    }
  }

  @Test
  void waitersAreCalledOnACluster() throws Exception {
    try (RedisLockBackend one = open();
        RedisLockBackend two = open();
        Locks locks = Locks.over(one);
        Locks others = Locks.over(two)) {
      for (int turn = 0; turn < 20; turn++) {
        var lease = locks.lock("hot").waitUpTo(Duration.ofMinutes(1)).acquire();
        var waiting = others.lock("hot").waitUpTo(Duration.ofMinutes(1)).acquireAsync();
        lease.close();
        waiting.get(1, TimeUnit.MINUTES).close();
      }
    }
  }

  @Test
  @SuppressWarnings("deprecation") // Its successor does not exist in all versions of the driver.
  void aWaitEndsAtItsLimitHoweverPatientTheClientIs() throws Exception {
    JedisClientConfig patient = DefaultJedisClientConfig.builder()
        .timeoutMillis((int) TimeUnit.HOURS.toMillis(1))
        .build();
    HostAndPort node = new HostAndPort("127.0.0.1", NODE_LIST.get(0).port());
    try (UnifiedJedis client = new JedisCluster(Set.of(node), patient);
        RedisLockBackend backend =
            RedisLockBackend.builder(client).keyPrefix("{patient}").build();
        Locks locks = Locks.over(backend)) {
      backend.isLocked(LockKey.of("report"), NEVER);
      for (RedisProcess each : NODE_LIST) {
        each.signal("STOP");
      }
      try {
        CompletableFuture<?> waiting =
            locks.lock("report").waitUpTo(Duration.ofMillis(300)).acquireAsync();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
            .hasCauseInstanceOf(LockException.class)
            .hasMessageContaining("did not answer");
      } finally {
        for (RedisProcess each : NODE_LIST) {
          each.signal("CONT");
        }
      }
    }
  }

  @Test
  void aPrefixWithoutAHashTagIsRefusedAtTheStart() {
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> RedisLockBackend.connect(url()));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("\"{syncguard}\"");
  }

  @Test
  void whoeverTalksToASingleNodeIsToldTheSame() {
    try (RedisLockBackend backend = RedisLockBackend.connect(NODE_LIST.get(0).url())) {
      LockException refusal = catchThrowableOfType(
          LockException.class, () -> backend.acquire(LockKey.of("report"), newId(), TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
      assertThat(refusal).hasMessageContaining("\"{syncguard}\"");
    }
  }

  /** Moves the slot of a key from the node that has it to another one, as a person does who needs room. */
  private static void moveSlotOf(String key) {
    int slot = JedisClusterCRC16.getSlot(key);
    RedisProcess from = NODE_LIST.get(slot * NODES / SLOTS);
    RedisProcess to = NODE_LIST.get((slot * NODES / SLOTS + 1) % NODES);
    try (Jedis source = from.jedis();
        Jedis target = to.jedis()) {
      target.clusterSetSlotImporting(slot, source.clusterMyId());
      source.clusterSetSlotMigrating(slot, target.clusterMyId());
      for (String each : source.clusterGetKeysInSlot(slot, 100)) {
        source.migrate("127.0.0.1", to.port(), each, 0, 10_000);
      }
      target.clusterSetSlotNode(slot, target.clusterMyId());
      source.clusterSetSlotNode(slot, target.clusterMyId());
    }
  }

  @Test
  void whoeverWantsConfirmationsFollowsTheSlotOfItsLocks() {
    try (RedisLockBackend backend = RedisLockBackend.builder(url())
        .keyPrefix("{moved}")
        .minReplicasAcked(1, Duration.ofMillis(50))
        .build()) {
      assertThat(refusalOf(backend)).hasMessageContaining("0 of 1 replicas");
      moveSlotOf("{moved}");
      assertThat(refusalOf(backend)).hasMessageContaining("0 of 1 replicas");
    }
  }

  private static LockException refusalOf(RedisLockBackend backend) {
    return catchThrowableOfType(
        LockException.class, () -> backend.acquire(LockKey.of("alone"), newId(), TTL, NEVER));
  }

  @Test
  void confirmationsAreAskedForOnTheRightNode() {
    try (RedisLockBackend backend = RedisLockBackend.builder(url())
        .keyPrefix("{syncguard}")
        .minReplicasAcked(1, Duration.ofMillis(50))
        .build()) {
      assertThat(refusalOf(backend)).hasMessageContaining("0 of 1 replicas");
      assertThat(backend.isLocked(LockKey.of("alone"), NEVER)).isFalse();
    }
  }
}
