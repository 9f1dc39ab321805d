package dev.syncguard.benchmarks.redis;

import java.net.URI;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** Clients with a connection for each thread of any benchmark. */
final class JedisClients {

  private static final int MOST_THREADS = 16;

  private JedisClients() {}

  static RedisClient connect(String url) {
    URI address = URI.create(url);
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(MOST_THREADS);
    pool.setMaxIdle(MOST_THREADS);
    return RedisClient.builder()
        .hostAndPort(address.getHost(), address.getPort())
        .poolConfig(pool)
        .build();
  }
}
