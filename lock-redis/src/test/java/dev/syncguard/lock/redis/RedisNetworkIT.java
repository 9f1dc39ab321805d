package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FaultProxy;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.Network;
import dev.syncguard.lock.testkit.NetworkContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import redis.clients.jedis.Jedis;

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
      return RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port());
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
    }
  }
}
