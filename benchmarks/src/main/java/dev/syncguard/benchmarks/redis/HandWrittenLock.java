package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.RedisClient;

/**
 * The least that a lock with a fence, an owner and a ttl needs: two short scripts.
 *
 * <p>It does not wait, cannot be looked up by owner, and tells nobody when the lock ends.
 */
final class HandWrittenLock implements KeyedLock {

  static final String ACQUIRE = """
      if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
        return redis.call('INCR', KEYS[2])
      end
      return 0""";
  static final String RELEASE = """
      if redis.call('GET', KEYS[1]) == ARGV[1] then
        return redis.call('DEL', KEYS[1])
      end
      return 0""";

  private final RedisClient client;
  private final String acquire;
  private final String release;

  HandWrittenLock(String url) {
    client = JedisClients.connect(url);
    acquire = client.scriptLoad(ACQUIRE);
    release = client.scriptLoad(RELEASE);
  }

  @Override
  public void underLock(String key, Runnable work) {
    String owner = UUID.randomUUID().toString();
    String lock = "floor:" + key;
    if ((Long) client.evalsha(acquire, List.of(lock, "fence:" + key), List.of(owner, "30000"))
        == 0) {
      throw new IllegalStateException("A free key was refused");
    }
    work.run();
    if ((Long) client.evalsha(release, List.of(lock), List.of(owner)) == 0) {
      throw new IllegalStateException("A lock was gone before it was released");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
