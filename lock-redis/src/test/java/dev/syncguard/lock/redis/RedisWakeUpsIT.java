package dev.syncguard.lock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** The one connection of a process that listens: how long it is trusted, and what becomes of it. */
class RedisWakeUpsIT extends OneServer {

  private static final Pattern LISTENING = Pattern.compile("id=(\\d+) .* sub=1 ");

  private final ShiftedTime time = new ShiftedTime();
  private FaultProxy proxy;
  private RedisClient client;
  private RedisLockBackend listening;
  private LockId holder;
  private Semaphore calls;

  @BeforeEach
  void openClient() throws IOException {
    proxy = FaultProxy.to("127.0.0.1", server.port());
    client = RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", proxy.port()))
        .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(1000).build())
        .build();
    listening = open(RedisLockBackend.builder(client).time(time));
    holder = take("report");
    calls = new Semaphore(0);
  }

  @AfterEach
  void closeClient() {
    listening.close();
    client.close();
    proxy.close();
  }

  private WaitingLine.Place standing(Runnable wakeUp) {
    WaitingLine.Place place =
        listening.waitingLine().orElseThrow().join(key("report"), newId(), wakeUp);
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    return place;
  }

  /** Returns the connections that listen, by the numbers that the server gave them. */
  private List<String> listeners() {
    return LISTENING
        .matcher(jedis.clientList())
        .results()
        .map(MatchResult::group)
        .map(line -> line.replaceAll("id=(\\d+) .*", "$1"))
        .toList();
  }

  /** Attempts until there is an answer: connections that went silent have to be found out first. */
  private static boolean isRefused(WaitingLine.Place place) {
    try {
      return place.attempt(LONG, NEVER) instanceof AcquireResult.Contended;
    } catch (LockException e) {
      return false;
    }
  }

  @Test
  void listeningTakesNothingFromThePool() {
    try (WaitingLine.Place place = standing(calls::release)) {
      assertThat(listeners()).hasSize(1);
      assertThat(client.getPool().getNumActive()).isZero();
    }
    listening.close();
    assertThat(RedisProcess.await(() -> listeners().isEmpty())).isTrue();
    assertThat(client.getPool().getNumActive()).isZero();
  }

  @Test
  void aPoolOfOneIsEnoughToWaitAndToClose() throws Exception {
    ConnectionPoolConfig one = new ConnectionPoolConfig();
    one.setMaxTotal(1);
    try (RedisClient small =
        RedisClient.builder().hostAndPort(server.address()).poolConfig(one).build()) {
      RedisLockBackend waiting = RedisLockBackend.over(small);
      try (Locks locks = Locks.over(waiting)) {
        var lease = locks.lock("report").waitUpTo(Duration.ofMinutes(1)).acquireAsync();
        assertThat(RedisProcess.await(() -> jedis.exists("syncguard:report\0line")))
            .isTrue();
        assertThat(release(holder)).isTrue();
        assertThat(lease.get(1, TimeUnit.MINUTES).release()).isTrue();
      }
      waiting.close();
    }
  }

  @Test
  void anErrorOrAForeignMessageDoesNotEndTheListening() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    try (WaitingLine.Place failing = standing(() -> {
          if (fails.get()) {
            throw new AssertionError("a wake-up that fails badly");
          }
        });
        WaitingLine.Place place = standing(calls::release)) {
      fails.set(true);
      String channel = jedis.pubsubChannels("syncguard:wake:*").get(0);
      for (String foreign : List.of("", "no id", "\u0000\uffff", "x".repeat(100_000))) {
        assertThat(jedis.publish(channel, foreign)).isEqualTo(1);
      }
      assertThat(jedis.publish(channel.getBytes(UTF_8), new byte[] {(byte) 0xc3, (byte) 0x28}))
          .isEqualTo(1);
      assertThat(release(holder)).as("calls the one that fails").isTrue();
      assertThat(RedisProcess.await(
              () -> place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired))
          .isTrue();
      fails.set(false);
      calls.drainPermits();
      try (WaitingLine.Place next = standing(calls::release)) {
        assertThat(RedisProcess.await(() -> listeners().size() == 1)).isTrue();
      }
    }
  }

  @Test
  void aSubscriptionThatIsMerelyQuietStays() throws Exception {
    try (WaitingLine.Place place = standing(calls::release)) {
      List<String> before = listeners();
      assertThat(before).hasSize(1);
      long publishedBefore = calls("publish");
      time.pass(Duration.ofSeconds(11));
      assertThat(isRefused(place)).isTrue();
      assertThat(calls("publish") - publishedBefore).as("calls itself").isEqualTo(1);
      assertThat(isRefused(place)).isTrue();
      calls.drainPermits();
      assertThat(release(holder)).isTrue();
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      assertThat(listeners()).isEqualTo(before);
    }
  }

  @Test
  void aSubscriptionThatDiedWithoutAWordIsReplacedAndEverybodyLooksAgain() throws Exception {
    try (WaitingLine.Place place = standing(calls::release)) {
      proxy.silenceAll();
      time.pass(Duration.ofSeconds(11));
      assertThat(RedisProcess.await(() -> isRefused(place))).isTrue();
      calls.drainPermits();
      time.pass(Duration.ofSeconds(6));
      assertThat(RedisProcess.await(() -> isRefused(place))).isTrue();
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS))
          .as("told to look again on a connection that works")
          .isTrue();
      calls.drainPermits();
      assertThat(release(holder)).isTrue();
      assertThat(calls.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
