package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/** A primary and one replica, which is reached through a proxy so that it can be cut off. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisReplicationIT {

  private static final Ttl TTL = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");

  private RedisProcess primary;
  private RedisProcess replica;
  private FaultProxy link;

  @BeforeEach
  void start() throws Exception {
    primary = RedisProcess.start(RedisBinary.SYSTEM, "--repl-diskless-sync-delay", "0");
    link = FaultProxy.to("127.0.0.1", primary.port());
    replica = RedisProcess.start(
        RedisBinary.SYSTEM, "--replicaof", "127.0.0.1 " + link.port(), "--repl-timeout", "5");
    awaitReplica();
  }

  private void awaitReplica() {
    try (Jedis jedis = primary.jedis()) {
      jedis.incr("warm-up");
      assertThat(RedisProcess.await(() -> jedis.waitReplicas(1, 1000) == 1)).isTrue();
    }
  }

  @AfterEach
  void stop() {
    link.close();
    replica.close();
    primary.close();
  }

  private static LockId newId() {
    return LockId.random(new SecureRandom());
  }

  /** Waits for a confirmation that comes, however busy the machine is. */
  private RedisLockBackend confident(RedisProcess server) {
    return careful(server, Duration.ofMinutes(1));
  }

  /** Waits for a confirmation that does not come. */
  private RedisLockBackend careful(RedisProcess server) {
    return careful(server, Duration.ofSeconds(1));
  }

  private static RedisLockBackend careful(RedisProcess server, Duration within) {
    return RedisLockBackend.builder(server.url()).minReplicasAcked(1, within).build();
  }

  private static Fence fence(AcquireResult result) {
    return ((AcquireResult.Acquired) result).fence();
  }

  @Test
  void aConfirmedGrantIsOnTheReplica() {
    try (LockBackend backend = confident(primary);
        Jedis behind = replica.jedis()) {
      for (int i = 0; i < 50; i++) {
        LockId id = newId();
        Fence fence = fence(backend.acquire(KEY, id, TTL, NEVER));
        assertThat(behind.get("syncguard:fence:syncguard:report"))
            .isEqualTo(Long.toString(fence.value()));
        assertThat(behind.get("syncguard:report")).contains(id.value());
        backend.release(id, NEVER);
      }
    }
  }

  @Test
  void aGrantThatNoReplicaConfirmsIsRefusedAndUndone() {
    try (LockBackend backend = careful(primary);
        LockBackend careless = RedisLockBackend.connect(primary.url())) {
      link.breakDown();
      LockException refusal = catchThrowableOfType(
          LockException.class, () -> backend.acquire(KEY, newId(), TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("0 of 1 replicas");
      assertThat(careless.isLocked(KEY, NEVER)).isFalse();

      LockException inLine = catchThrowableOfType(LockException.class, () -> {
        try (WaitingLine.Place place =
            backend.waitingLine().orElseThrow().join(KEY, newId(), () -> {})) {
          place.attempt(TTL, NEVER);
        }
      });
      assertThat(inLine.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(careless.isLocked(KEY, NEVER)).isFalse();
    }
  }

  /** A primary that is cut off would extend for ever what its successor has granted to somebody else. */
  @Test
  void anExtensionThatNoReplicaConfirmsDoesNotCount() {
    try (LockBackend backend = careful(primary)) {
      LockId id = newId();
      assertThat(backend.acquire(KEY, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
      assertThat(backend.extend(id, TTL, NEVER)).isInstanceOf(ExtendResult.Extended.class);
      link.breakDown();
      LockException refusal =
          catchThrowableOfType(LockException.class, () -> backend.extend(id, TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("0 of 1 replicas").hasMessageContaining("extension");
      assertThat(backend.extend(newId(), TTL, NEVER)).isInstanceOf(ExtendResult.Absent.class);
    }
  }

  @Test
  void aRepeatedQuestionIsNotTakenForAConfirmation() throws Exception {
    try (LockBackend backend = careful(primary);
        LockBackend careless = RedisLockBackend.connect(primary.url())) {
      LockId id = newId();
      // Still connected, so the primary would count it for a client that has written nothing.
      replica.signal("STOP");
      try {
        assertThat(careless.acquire(KEY, id, TTL, NEVER))
            .isInstanceOf(AcquireResult.Acquired.class);
        LockException refusal =
            catchThrowableOfType(LockException.class, () -> backend.acquire(KEY, id, TTL, NEVER));
        assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      } finally {
        replica.signal("CONT");
      }
    }
  }

  /**
   * From Redis 7.2 on, {@code WAIT} answers for the writes of its own connection, so an answer without one is confirmed by
   * nobody. Older servers cannot show that, but their replication log shows whether a script wrote. Without {@code WAIT},
   * which puts a question of its own into that log.
   */
  @Test
  void everyAnswerThatMayHaveToBeConfirmedComesWithAWrite() {
    try (RedisLockBackend backend = RedisLockBackend.connect(primary.url());
        Jedis log = primary.jedis()) {
      log.configSet("repl-ping-replica-period", "3600");
      LockId first = newId();
      WaitingLine line = backend.waitingLine().orElseThrow();
      assertWrites(log, "acquire", () -> backend.acquire(KEY, first, TTL, NEVER));
      assertWrites(log, "acquire again", () -> backend.acquire(KEY, first, TTL, NEVER));
      assertWrites(log, "extend", () -> backend.extend(first, TTL, NEVER));
      LockId second = newId();
      try (WaitingLine.Place heir = line.join(KEY, second, () -> {})) {
        assertWrites(log, "take over", () -> heir.takeOver(first, TTL));
        assertWrites(log, "take over again", () -> heir.takeOver(first, TTL));
        backend.release(second, NEVER);
      }
      LockId holder = newId();
      backend.acquire(KEY, holder, TTL, NEVER);
      try (WaitingLine.Place waiter = line.join(KEY, newId(), () -> {})) {
        assertThat(waiter.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
        backend.release(holder, NEVER);
        assertWrites(log, "in line", () -> waiter.attempt(TTL, NEVER));
        assertWrites(log, "in line again", () -> waiter.attempt(TTL, NEVER));
      }
    }
  }

  private static void assertWrites(Jedis log, String what, Supplier<?> question) {
    long before = offset(log);
    assertThat(question.get())
        .as(what)
        .isInstanceOfAny(AcquireResult.Acquired.class, ExtendResult.Extended.class);
    assertThat(offset(log)).as(what).isGreaterThan(before);
  }

  private static long offset(Jedis log) {
    return log.info("replication")
        .lines()
        .filter(line -> line.startsWith("master_repl_offset:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void replicasMayTakeLongerThanTheTimeoutOfTheClient() throws Exception {
    try (RedisClient client = RedisClient.builder()
            .hostAndPort(primary.address())
            .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(500).build())
            .build();
        RedisLockBackend backend = RedisLockBackend.builder(client)
            .minReplicasAcked(1, Duration.ofMillis(1500))
            .build()) {
      replica.signal("STOP");
      try {
        LockException refusal = catchThrowableOfType(
            LockException.class, () -> backend.acquire(KEY, newId(), TTL, NEVER));
        assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
        assertThat(refusal).hasMessageContaining("0 of 1 replicas");
        assertThat(backend.isLocked(KEY, NEVER)).as("given back").isFalse();
      } finally {
        replica.signal("CONT");
      }
      try (Connection pooled = client.getPool().getResource()) {
        assertThat(pooled.getSoTimeout()).as("restored").isEqualTo(500);
      }
    }
  }

  @Test
  void noConfirmedFenceIsRepeatedAfterAFailoverToAReplicaThatWasCutOff() {
    List<Fence> confirmed = new ArrayList<>();
    try (LockBackend confident = confident(primary);
        LockBackend backend = careful(primary)) {
      for (int i = 0; i < 5; i++) {
        takeAndRelease(confident, confirmed);
      }
      link.breakDown();
      for (int i = 0; i < 3; i++) {
        assertThat(
                catchThrowableOfType(LockException.class, () -> takeAndRelease(backend, confirmed)))
            .as("refused without its replica")
            .isNotNull();
      }
    }
    assertThat(confirmed).hasSize(5);
    assertRisesAfterPromotion(confirmed, true);
  }

  /** Shows that the setting is what makes the difference, and that this test can fail. */
  @Test
  void withoutConfirmationsAFailoverRepeatsFences() {
    List<Fence> confirmed = new ArrayList<>();
    try (LockBackend backend = RedisLockBackend.connect(primary.url())) {
      takeAndRelease(backend, confirmed);
      try (Jedis jedis = primary.jedis()) {
        assertThat(RedisProcess.await(() -> jedis.waitReplicas(1, 1000) == 1)).isTrue();
      }
      link.breakDown();
      for (int i = 0; i < 3; i++) {
        takeAndRelease(backend, confirmed);
      }
    }
    assertRisesAfterPromotion(confirmed, false);
  }

  private static void takeAndRelease(LockBackend backend, List<Fence> confirmed) {
    LockId id = newId();
    confirmed.add(fence(backend.acquire(KEY, id, TTL, NEVER)));
    backend.release(id, NEVER);
  }

  private void assertRisesAfterPromotion(List<Fence> confirmed, boolean expected) {
    primary.kill();
    try (Jedis jedis = replica.jedis()) {
      jedis.replicaofNoOne();
      // A release may not have arrived, which only the end of the lease can mend.
      jedis.del("syncguard:report");
    }
    try (LockBackend promoted = RedisLockBackend.connect(replica.url())) {
      Fence next = fence(promoted.acquire(KEY, newId(), TTL, NEVER));
      Fence last = confirmed.get(confirmed.size() - 1);
      assertThat(next.compareTo(last) > 0).isEqualTo(expected);
    }
  }

  @Test
  void aReplicaIsNoPlaceForLocks() {
    try (LockBackend backend = RedisLockBackend.connect(replica.url())) {
      LockException refusal = catchThrowableOfType(
          LockException.class, () -> backend.acquire(KEY, newId(), TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(refusal).hasMessageContaining("replica");
      assertThat(severity(backend, "role")).isEqualTo(Severity.FAILURE);
    }
  }

  @Test
  void theDoctorSaysWhatReplicasMeanForFences() {
    try (LockBackend backend = RedisLockBackend.connect(primary.url())) {
      assertThat(severity(backend, "replicas")).isEqualTo(Severity.WARNING);
      assertThat(severity(backend, "persistence")).isEqualTo(Severity.WARNING);
      try (Jedis jedis = primary.jedis()) {
        jedis.configSet("maxmemory", "100mb");
        jedis.configSet("maxmemory-policy", "allkeys-lru");
      }
      assertThat(severity(backend, "eviction")).isEqualTo(Severity.FAILURE);
      assertThat(severity(backend, "guarantee")).isEqualTo(Severity.FAILURE);
    }
  }

  private static Severity severity(LockBackend backend, String subject) {
    return backend.storeCheck().orElseThrow().examine(NEVER).stream()
        .filter(finding -> finding.subject().equals(subject))
        .map(Finding::severity)
        .findFirst()
        .orElseThrow();
  }
}
