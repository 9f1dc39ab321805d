package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** A sentinel names the primary, and another one when that has died. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisSentinelIT {

  private static final Ttl TTL = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");

  @Test
  void locksGoOnAtTheNewPrimaryWithHigherFences() throws Exception {
    try (RedisProcess primary =
            RedisProcess.start(RedisBinary.SYSTEM, "--repl-diskless-sync-delay", "0");
        RedisProcess replica =
            RedisProcess.start(RedisBinary.SYSTEM, "--replicaof", "127.0.0.1 " + primary.port());
        RedisProcess sentinel = RedisProcess.sentinel(RedisBinary.SYSTEM, primary)) {
      try (Jedis jedis = sentinel.jedis()) {
        assertThat(RedisProcess.await(() -> jedis.info("sentinel").contains("slaves=1")))
            .isTrue();
      }
      try (RedisLockBackend backend = RedisLockBackend.builder(
              "redis+sentinel://127.0.0.1:" + sentinel.port() + "/mymaster")
          .minReplicasAcked(1, Duration.ofMinutes(1))
          .build()) {
        Fence before = fence(backend);
        primary.kill();
        // The only replica is primary now, and nobody is left to confirm to it.
        try (RedisLockBackend careless = RedisLockBackend.connect(
            "redis+sentinel://127.0.0.1:" + sentinel.port() + "/mymaster")) {
          AtomicReference<Fence> after = new AtomicReference<>();
          assertThat(RedisProcess.await(() -> {
                try {
                  after.set(fence(careless));
                  return true;
                } catch (LockException e) {
                  assertThat(e.isRetryable()).as(e.toString()).isTrue();
                  return false;
                }
              }))
              .isTrue();
          assertThat(after.get()).isGreaterThan(before);
        }
      }
      assertThat(replica.pid()).isPositive();
    }
  }

  private static Fence fence(RedisLockBackend backend) {
    LockId id = LockId.random(new SecureRandom());
    AcquireResult result = backend.acquire(KEY, id, TTL, NEVER);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    backend.release(id, NEVER);
    return ((AcquireResult.Acquired) result).fence();
  }
}
