package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock: one SET and one DEL, without a fence, without asking whose the lock is, and without waiting. */
final class ShedLock implements KeyedLock {

  private final LettuceConnectionFactory connections;
  private final RedisLockProvider provider;

  ShedLock(String url) {
    connections = Lettuce.connect(url);
    provider = new RedisLockProvider(connections);
  }

  @Override
  public void underLock(String key, Runnable work) {
    SimpleLock lock = provider
        .lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO))
        .orElseThrow();
    work.run();
    lock.unlock();
  }

  @Override
  public void close() {
    connections.destroy();
  }
}
