package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The scripts of {@link HandWrittenLock} over Lettuce instead of Jedis. */
abstract class LettuceLock implements KeyedLock {

  private final RedisClient client;
  private final String acquire;
  private final String release;

  private LettuceLock(String url) {
    client = RedisClient.create(url);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      acquire = connection.sync().scriptLoad(HandWrittenLock.ACQUIRE);
      release = connection.sync().scriptLoad(HandWrittenLock.RELEASE);
    }
  }

  abstract long call(String script, String[] keys, String... arguments) throws InterruptedException;

  @Override
  public void underLock(String key, Runnable work) throws InterruptedException {
    String owner = UUID.randomUUID().toString();
    String lock = "floor:" + key;
    if (call(acquire, new String[] {lock, "fence:" + key}, owner, "30000") == 0) {
      throw new IllegalStateException("A free key was refused");
    }
    work.run();
    if (call(release, new String[] {lock}, owner) == 0) {
      throw new IllegalStateException("A lock was gone before it was released");
    }
  }

  private static long call(
      StatefulRedisConnection<String, String> connection,
      String script,
      String[] keys,
      String... arguments) {
    Long answer = connection.sync().evalsha(script, ScriptOutputType.INTEGER, keys, arguments);
    return answer;
  }

  @Override
  public void close() {
    client.shutdown();
  }

  /** All threads over one connection, as Spring does. */
  static final class Shared extends LettuceLock {

    private final StatefulRedisConnection<String, String> connection;

    Shared(String url) {
      super(url);
      connection = super.client.connect();
    }

    @Override
    long call(String script, String[] keys, String... arguments) {
      return LettuceLock.call(connection, script, keys, arguments);
    }
  }

  /** A connection for each call, out of a pool, which a lock needs that breaks off calls or waits for replicas. */
  static final class Pooled extends LettuceLock {

    private final BlockingQueue<StatefulRedisConnection<String, String>> idle;

    Pooled(String url, int connections) {
      super(url);
      List<StatefulRedisConnection<String, String>> opened = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        opened.add(super.client.connect());
      }
      idle = new ArrayBlockingQueue<>(connections, false, opened);
    }

    @Override
    long call(String script, String[] keys, String... arguments) throws InterruptedException {
      StatefulRedisConnection<String, String> connection = idle.take();
      try {
        return LettuceLock.call(connection, script, keys, arguments);
      } finally {
        idle.add(connection);
      }
    }
  }
}
