package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.NetworkContract;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.proxy.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;

/** Redis behind a network that fails. */
class RedisNetworkIT extends NetworkContract implements FixtureSource {

  private static RedisProcess server;

  @BeforeAll
  static void startServer() {
    server = RedisProcess.start(RedisBinary.SYSTEM);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  public LockFixture newFixture() throws IOException {
    return new Fixture();
  }

  private static final class Fixture implements LockFixture.Networked {
    private final List<UnifiedJedis> clients = new ArrayList<>();
    private final FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());

    Fixture() throws IOException {
      try (Jedis jedis = server.jedis()) {
        jedis.flushAll();
      }
    }

    @Override
    public LockBackend open() {
      return RedisLockBackend.connect(server.url());
    }

    @Override
    public LockBackend openThroughNetwork() {
      // With a protocol of its own the client does not connect before it is used.
      clients.add(RedisClient.builder()
          .hostAndPort("127.0.0.1", proxy.port())
          .clientConfig(DefaultJedisClientConfig.builder()
              .timeoutMillis((int) DRIVER_PATIENCE.toMillis())
              .protocol(RedisProtocol.RESP2)
              .build())
          .build());
      return RedisLockBackend.over(clients.get(clients.size() - 1));
    }

    @Override
    public Network network() {
      return proxy;
    }

    @Override
    public void pass(Duration time) {
      RedisProcess.sleep(time);
    }

    @Override
    public void presetFence(LockKey key, long handedOut) {
      throw new UnsupportedOperationException("Not needed to find out about broken connections");
    }

    @Override
    public void close() {
      proxy.close();
      clients.forEach(UnifiedJedis::close);
    }
  }
}
