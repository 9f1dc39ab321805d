package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The locks of Redisson. */
abstract class RedissonLocks implements KeyedLock {

  private static final long TTL_SECONDS = 30;

  final RedissonClient client;

  private RedissonLocks(String url) {
    Config config = new Config();
    // Idle connections would send messages while others are counted.
    config.useSingleServer().setAddress(url).setPingConnectionInterval(0);
    client = Redisson.create(config);
  }

  abstract RLock lock(String key);

  void take(RLock lock) {
    lock.lock(TTL_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void underLock(String key, Runnable work) {
    RLock lock = lock(key);
    take(lock);
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    client.shutdown(0, 5, TimeUnit.SECONDS);
  }

  /** The lock that most people use. It has no fence. */
  public static final class Plain extends RedissonLocks {

    public Plain(String url) {
      super(url);
    }

    @Override
    RLock lock(String key) {
      return client.getLock(key);
    }
  }

  /** The one with a fence. */
  public static final class Fenced extends RedissonLocks {

    public Fenced(String url) {
      super(url);
    }

    @Override
    RLock lock(String key) {
      return client.getFencedLock(key);
    }
  }

  /** The one that serves waiters in the order in which they came. It has no fence. */
  public static final class Fair extends RedissonLocks {

    public Fair(String url) {
      super(url);
    }

    @Override
    RLock lock(String key) {
      return client.getFairLock(key);
    }
  }
}
