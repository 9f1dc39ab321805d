package dev.syncguard.lock.redis;

import java.util.Optional;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/** Single connections of a client, for what must happen on one and the same. Closing one gives it back. */
@FunctionalInterface
interface Connections {

  /** Returns a connection to the server that keeps our keys. */
  Connection borrow();

  /** Returns the connections of a client, unless it is of a kind that keeps them to itself. */
  @SuppressWarnings(
      "deprecation") // JedisCluster: the driver discourages it, but people still have it.
  static Optional<Connections> of(UnifiedJedis client, RedisKeys keys) {
    if (client instanceof RedisClient standalone) {
      return Optional.of(() -> standalone.getPool().getResource());
    }
    if (client instanceof RedisSentinelClient sentinel) {
      return Optional.of(() -> primary(sentinel).getResource());
    }
    int slot = JedisClusterCRC16.getSlot(keys.inNamespace("any"));
    if (client instanceof RedisClusterClient cluster) {
      return Optional.of(() -> cluster.getConnectionFromSlot(slot));
    }
    if (client instanceof redis.clients.jedis.JedisCluster cluster) {
      return Optional.of(() -> cluster.getConnectionFromSlot(slot));
    }
    return Optional.empty();
  }

  @SuppressWarnings("deprecation") // As above.
  static boolean isCluster(UnifiedJedis client) {
    return client instanceof RedisClusterClient
        || client instanceof redis.clients.jedis.JedisCluster;
  }

  private static Pool<Connection> primary(RedisSentinelClient sentinel) {
    return sentinel.getPrimaryNodesConnectionMap().values().stream()
        .findFirst()
        .orElseThrow(() -> new JedisConnectionException("There is no primary right now"));
  }
}
