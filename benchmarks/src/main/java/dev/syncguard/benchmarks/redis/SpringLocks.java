package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The lock registry of Spring Integration. It has no fence. */
abstract class SpringLocks implements KeyedLock {

  private final LettuceConnectionFactory connections;
  private final RedisLockRegistry registry;

  private SpringLocks(String url, RedisLockType type) {
    connections = Lettuce.connect(url);
    registry = new RedisLockRegistry(connections, "spring-" + type, Duration.ofSeconds(30));
    registry.setRedisLockType(type);
  }

  @Override
  public void underLock(String key, Runnable work) {
    Lock lock = registry.obtain(key);
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    registry.destroy();
    connections.destroy();
  }

  /** Its default: whoever waits asks again and again. */
  public static final class Spinning extends SpringLocks {

    public Spinning(String url) {
      super(url, RedisLockType.SPIN_LOCK);
    }
  }

  /** Whoever waits listens to a channel. */
  public static final class Listening extends SpringLocks {

    public Listening(String url) {
      super(url, RedisLockType.PUB_SUB_LOCK);
    }
  }
}
