package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** One server for the tests of a class, empty before each of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class OneServer {

  static final Ttl LONG = Ttl.ofMillis(600_000);
  static final Cancellation NEVER = Cancellation.none();
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String[] settings;
  private final List<LockBackend> opened = new ArrayList<>();
  RedisProcess server;
  Jedis jedis;
  RedisLockBackend backend;

  OneServer(String... settings) {
    this.settings = settings;
  }

  /** Returns which server the tests of this class run against. */
  RedisBinary binary() {
    return RedisBinary.SYSTEM;
  }

  @BeforeAll
  void startServer() {
    server = RedisProcess.start(binary(), settings);
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  @BeforeEach
  void openBackend() {
    jedis = server.jedis();
    jedis.flushAll();
    backend = open(RedisLockBackend.builder(server.patient()));
  }

  @AfterEach
  void closeBackends() {
    opened.forEach(LockBackend::close);
    opened.clear();
    jedis.close();
  }

  RedisLockBackend open(RedisLockBackend.Builder builder) {
    RedisLockBackend another = builder.build();
    opened.add(another);
    return another;
  }

  /** Returns a backend on which a call to a waiter stays good for as long as a slow machine may need. */
  RedisLockBackend openPatient() {
    return open(RedisLockBackend.builder(server.patient()).reservation(Duration.ofSeconds(30)));
  }

  static LockId newId() {
    return LockId.random(RANDOM);
  }

  static LockKey key(String text) {
    return LockKey.of(text);
  }

  static LockId take(LockBackend from, String key, Ttl ttl) {
    LockId id = newId();
    assertThat(from.acquire(key(key), id, ttl, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    return id;
  }

  LockId take(String key) {
    return take(backend, key, LONG);
  }

  boolean isTaken(String key, LockId id) {
    return backend.acquire(key(key), id, LONG, NEVER) instanceof AcquireResult.Acquired;
  }

  boolean release(LockId id) {
    return backend.release(id, NEVER) instanceof ReleaseResult.Released;
  }

  /** Returns how often the server has run a command, or all of them if it has no name, inside of scripts as well. */
  long calls(String command) {
    String name = command.isEmpty() ? "\\w+" : command;
    return Pattern.compile("cmdstat_" + name + ":calls=(\\d+)")
        .matcher(jedis.info("commandstats"))
        .results()
        .mapToLong(line -> Long.parseLong(line.group(1)))
        .sum();
  }

  long stat(String section, String name) {
    return jedis
        .info(section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
