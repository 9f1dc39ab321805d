package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.testkit.FailoverRun;
import dev.syncguard.torture.proxy.FaultProxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** Real failovers under load, and plants of what must be found. What they cost is in {@code docs/operating/failover.md}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RedisFailoverIT {

  private static LockBackend careful(String url) {
    return RedisLockBackend.builder(url)
        .minReplicasAcked(1, Duration.ofSeconds(1))
        .build();
  }

  @Test
  void sentinelFailsOverUnderLoadWithoutARepeatedFenceIfReplicasConfirm() throws Exception {
    try (SentinelSetup setup = SentinelSetup.start()) {
      FailoverRun run = FailoverRun.of(() -> careful(setup.url()), setup::killPrimary);
      assertThat(run.fenceViolations()).as(run.toString()).isEmpty();
      assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
    }
  }

  private static void assertFound(FailoverRun run) {
    assertThat(run.fenceViolations()).as(run.toString()).isNotEmpty();
  }

  @Test
  void aPowerCutWithEverysecPersistenceIsFound() {
    try (RedisProcess server = RedisProcess.start(
        RedisBinary.SYSTEM, "--appendonly", "yes", "--appendfsync", "everysec")) {
      assertFound(FailoverRun.watched(() -> RedisLockBackend.connect(server.url()), load -> {
        server.cutPower(load::awaitGrant);
        server.restart();
      }));
    }
  }

  @Test
  void anAsynchronousReplicaThatIsPromotedIsFound() throws Exception {
    try (RedisProcess primary =
            RedisProcess.start(RedisBinary.SYSTEM, "--repl-diskless-sync-delay", "0");
        FaultProxy link = FaultProxy.to("127.0.0.1", primary.port());
        FaultProxy door = FaultProxy.to("127.0.0.1", primary.port());
        RedisProcess replica =
            RedisProcess.start(RedisBinary.SYSTEM, "--replicaof", "127.0.0.1 " + link.port())) {
      awaitReplica(primary);
      assertFound(FailoverRun.watched(
          () -> RedisLockBackend.connect("redis://127.0.0.1:" + door.port()), load -> {
            // It lags for a moment, as every replica does now and then; somebody gets a lock in it.
            link.fallSilent();
            load.awaitGrant();
            primary.kill();
            link.close();
            try (Jedis jedis = replica.jedis()) {
              jedis.replicaofNoOne();
            }
            door.redirect(replica.port());
          }));
    }
  }

  @Test
  void aPrimaryThatIsCutOffFromItsSuccessorGrantsNothingIfReplicasConfirm() throws Exception {
    try (RedisProcess primary =
            RedisProcess.start(RedisBinary.SYSTEM, "--repl-diskless-sync-delay", "0");
        FaultProxy link = FaultProxy.to("127.0.0.1", primary.port());
        RedisProcess replica =
            RedisProcess.start(RedisBinary.SYSTEM, "--replicaof", "127.0.0.1 " + link.port());
        LockBackend confirmed = careful(primary.url());
        LockBackend unconfirmed = RedisLockBackend.connect(primary.url());
        LockBackend current = RedisLockBackend.connect(replica.url())) {
      awaitReplica(primary);
      assertThat(RedisProcess.await(() -> isGranted(confirmed, "warm-up"))).isTrue();
      link.breakDown();
      try (Jedis jedis = replica.jedis()) {
        jedis.replicaofNoOne();
      }
      assertThat(isGranted(current, "report")).isTrue();
      for (int i = 0; i < 3; i++) {
        assertThat(isGranted(confirmed, "report"))
            .as("a grant of the old primary")
            .isFalse();
      }
      assertThat(isGranted(current, "ledger")).isTrue();
      assertThat(isGranted(unconfirmed, "ledger"))
          .as("what happens without confirmation: a second holder")
          .isTrue();
    }
  }

  private static boolean isGranted(LockBackend backend, String key) {
    try {
      AcquireResult result = backend.acquire(
          LockKey.of(key),
          LockId.random(new SecureRandom()),
          Ttl.ofMillis(60_000),
          Cancellation.none());
      return result instanceof AcquireResult.Acquired;
    } catch (LockException e) {
      assertThat(e.isRetryable()).as(e.toString()).isTrue();
      return false;
    }
  }

  @Test
  void aProxyThatRepeatsAnswersIsFound() throws Exception {
    try (RedisProcess server = RedisProcess.start(RedisBinary.SYSTEM);
        FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port())) {
      FailoverRun run = FailoverRun.of(
          () -> RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port()),
          () -> proxy.repeatAnswers(20));
      assertThat(run.violations()).as(run.toString()).isNotEmpty();
    }
  }

  @Test
  void anAnswerToAnotherQuestionIsNeverTakenForAnAnswerAboutAKey() throws Exception {
    try (RedisProcess server = RedisProcess.start(RedisBinary.SYSTEM);
        FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());
        LockBackend backend = RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port())) {
      LockKey key = LockKey.of("report");
      LockId id = LockId.random(new SecureRandom());
      backend.acquire(key, id, Ttl.ofMillis(60_000), Cancellation.none());
      // The server knows the scripts from now on.
      backend.extend(id, Ttl.ofMillis(60_000), Cancellation.none());
      assertThat(backend.lookup(new LockQuery.ByKey(key), Cancellation.none())).isPresent();
      assertThat(backend.isLocked(key, Cancellation.none())).isTrue();
      proxy.repeatAnswers(1);
      backend.extend(id, Ttl.ofMillis(60_000), Cancellation.none());
      assertThatExceptionOfType(LockException.class)
          .isThrownBy(() -> backend.lookup(new LockQuery.ByKey(key), Cancellation.none()))
          .withMessageContaining("another question");
      assertThatExceptionOfType(LockException.class)
          .isThrownBy(() -> backend.isLocked(key, Cancellation.none()))
          .withMessageContaining("another question");
    }
  }

  @Test
  void aServerThatIsDurableLosesNothingInACrash() throws Exception {
    try (RedisProcess server =
        RedisProcess.start(RedisBinary.SYSTEM, "--appendonly", "yes", "--appendfsync", "always")) {
      FailoverRun run = FailoverRun.of(() -> RedisLockBackend.connect(server.url()), () -> {
        server.kill();
        server.restart();
      });
      assertThat(run.violations()).as(run.toString()).isEmpty();
      assertThat(run.grantsAfterwards()).isPositive();
    }
  }

  private static void awaitReplica(RedisProcess primary) {
    try (Jedis jedis = primary.jedis()) {
      assertThat(RedisProcess.await(() -> jedis.waitReplicas(1, 1000) == 1)).isTrue();
      assertThat(List.of(jedis.incr("warm-up"))).isNotEmpty();
      assertThat(RedisProcess.await(() -> jedis.waitReplicas(1, 1000) == 1)).isTrue();
    }
  }
}
