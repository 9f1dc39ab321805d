package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** An empty Redis server that writes a log. */
final class RedisFixture
    implements LockFixture.Inspectable, LockFixture.Restartable, LockFixture.Breakable {

  static final String[] SETTINGS = {
    "--appendonly", "yes", "--appendfsync", "always", "--requirepass", "canary-password-81c2"
  };

  /** Nobody is called in vain here, so a slow machine may take its time to answer a call. */
  private static final Duration RESERVATION = Duration.ofSeconds(30);

  private final RedisProcess server;

  RedisFixture(RedisProcess server) {
    this.server = server;
    try (Jedis jedis = server.jedis()) {
      jedis.flushAll();
    }
  }

  @Override
  public LockBackend open() {
    return RedisLockBackend.builder(server.patient()).reservation(RESERVATION).build();
  }

  @Override
  public void pass(Duration time) {
    RedisProcess.sleep(time);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    RedisKeys keys = new RedisKeys(RedisKeys.DEFAULT_PREFIX);
    try (Jedis jedis = server.jedis()) {
      jedis.set(keys.fence(keys.lock(key)), Long.toString(handedOut));
    }
  }

  @Override
  public String content() {
    try (Jedis jedis = server.jedis()) {
      return jedis.keys("*").stream()
          .sorted()
          .map(key -> key + " " + HexFormat.of().formatHex(jedis.dump(key)))
          .collect(Collectors.joining("\n"));
    }
  }

  @Override
  public void restart() {
    server.kill();
    server.restart();
  }

  @Override
  public void breakDown() {
    server.kill();
  }

  @Override
  public void repair() {
    server.restart();
  }

  @Override
  public Set<String> secrets() {
    return Set.of(SETTINGS[SETTINGS.length - 1]);
  }

  @Override
  public void close() {}
}
