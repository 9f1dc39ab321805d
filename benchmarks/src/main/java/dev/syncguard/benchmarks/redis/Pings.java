package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import redis.clients.jedis.RedisClient;

/** Two bare round trips, which protect nothing: no lock on this driver can be faster. */
final class Pings implements KeyedLock {

  private final RedisClient client;

  Pings(String url) {
    client = JedisClients.connect(url);
  }

  @Override
  public void underLock(String key, Runnable work) {
    client.ping();
    work.run();
    client.ping();
  }

  @Override
  public void close() {
    client.close();
  }
}
