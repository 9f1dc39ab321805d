package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.ShedLockKeys;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock: one SET and one DEL, without a fence, without asking whose the lock is, and without waiting. */
final class ShedLock extends ShedLockKeys {

  private final LettuceConnectionFactory connections;

  ShedLock(String url) {
    this(Lettuce.connect(url));
  }

  private ShedLock(LettuceConnectionFactory connections) {
    super(new RedisLockProvider(connections));
    this.connections = connections;
  }

  @Override
  public void close() {
    connections.destroy();
  }
}
