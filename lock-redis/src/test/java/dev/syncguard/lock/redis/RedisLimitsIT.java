package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** Too few connections, too many threads, a server that has had enough: the right code, and all is well afterwards. */
class RedisLimitsIT extends OneServer {

  private static final int MOST_CLIENTS = 20;

  RedisLimitsIT() {
    super("--maxclients", Integer.toString(MOST_CLIENTS));
  }

  private RedisClient client(int connections, Duration patience) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(connections);
    pool.setMaxWait(patience);
    return RedisClient.builder().hostAndPort(server.address()).poolConfig(pool).build();
  }

  @Test
  void anExhaustedPoolIsAnUnavailableServiceAndRecovers() {
    try (RedisClient client = client(1, Duration.ofMillis(100));
        RedisLockBackend starved = RedisLockBackend.over(client)) {
      try (Connection hog = client.getPool().getResource()) {
        LockException failure =
            catchThrowableOfType(LockException.class, () -> starved.isLocked(key("report"), NEVER));
        assertThat(failure.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
        assertThat(failure.isRetryable()).isTrue();
      }
      assertThat(starved.isLocked(key("report"), NEVER)).isFalse();
      assertThat(client.getPool().getNumActive()).isZero();
    }
  }

  /** 3,000 virtual threads were 2,600 platform threads, each waiting for a connection in the place of its caller. */
  @Test
  void whoeverWaitsForAConnectionTakesNoThreadBesidesTheirOwn() throws Exception {
    int connections = 2;
    int callers = 40;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try (RedisClient client = client(connections, Duration.ofMinutes(1));
        RedisLockBackend starved = RedisLockBackend.over(client);
        Locks locks = Locks.over(starved)) {
      List<Future<Fence>> granted = new ArrayList<>();
      List<Thread> asking = Collections.synchronizedList(new ArrayList<>());
      try (Connection hog = client.getPool().getResource();
          Connection other = client.getPool().getResource()) {
        for (int i = 0; i < callers; i++) {
          var request = locks.lock("report-" + i).waitUpTo(Duration.ofMinutes(2));
          granted.add(threads.submit(() -> {
            asking.add(Thread.currentThread());
            return request.call(Lease::fence);
          }));
        }
        while (asking.size() < callers || !asking.stream().allMatch(RedisLimitsIT::waits)) {
          Thread.sleep(10);
        }
        assertThat(Thread.getAllStackTraces().keySet())
            .filteredOn(each -> each.getName().equals("syncguard-connect"))
            .hasSizeLessThanOrEqualTo(connections);
      }
      for (Future<Fence> each : granted) {
        assertThat(each.get(1, TimeUnit.MINUTES)).isNotNull();
      }
      assertThat(client.getPool().getNumActive()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  /** A pool serves whoever comes when a connection comes back; those who wait in it would starve behind them. */
  @Test
  void releasesStandInTheSameLineAsAllOthers() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (RedisClient client = client(1, Duration.ofMinutes(1));
        RedisLockBackend starved = RedisLockBackend.over(client)) {
      LockId held = take(starved, "report", LONG);
      List<Thread> asking = Collections.synchronizedList(new ArrayList<>());
      List<Future<?>> answers = new ArrayList<>();
      try (Connection hog = client.getPool().getResource()) {
        for (Runnable call : List.<Runnable>of(
            () -> starved.isLocked(key("report"), NEVER), () -> starved.release(held, NEVER))) {
          answers.add(threads.submit(() -> {
            asking.add(Thread.currentThread());
            call.run();
          }));
        }
        while (asking.size() < 2 || !asking.stream().allMatch(RedisLimitsIT::waits)) {
          Thread.sleep(10);
        }
        assertThat(client.getPool().getNumWaiters()).isEqualTo(1);
      }
      for (Future<?> answer : answers) {
        answer.get(1, TimeUnit.MINUTES);
      }
      assertThat(starved.isLocked(key("report"), NEVER)).isFalse();
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void whoeverIsInterruptedWhileWaitingForAConnectionIsAbortedAndStaysInterrupted()
      throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RedisClient client = client(1, Duration.ofMinutes(1));
        RedisLockBackend starved = RedisLockBackend.over(client)) {
      Future<Boolean> stayed;
      try (Connection hog = client.getPool().getResource()) {
        CountDownLatch asking = new CountDownLatch(1);
        stayed = thread.submit(() -> {
          asking.countDown();
          LockException failure = catchThrowableOfType(
              LockException.class, () -> starved.isLocked(key("report"), NEVER));
          assertThat(failure.code()).isEqualTo(LockException.Code.ABORTED);
          return Thread.interrupted();
        });
        asking.await();
        thread.shutdownNow();
        assertThat(stayed.get(1, TimeUnit.MINUTES)).isTrue();
      }
      assertThat(starved.isLocked(key("report"), NEVER)).isFalse();
      assertThat(client.getPool().getNumActive()).isZero();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aServerAtItsLimitAsksUsToSlowDownAndNothingLeaks() {
    List<Jedis> crowd = new ArrayList<>();
    try {
      assertThat(catchThrowableOfType(JedisException.class, () -> {
            for (int i = 0; i <= MOST_CLIENTS; i++) {
              crowd.add(server.jedis());
              crowd.get(i).ping();
            }
          }))
          .isNotNull();
      LockException failure =
          catchThrowableOfType(LockException.class, this::takeAndReleaseOnANewConnection);
      assertThat(failure.code()).isEqualTo(LockException.Code.RATE_LIMITED);
      assertThat(failure.isRetryable()).isTrue();
      assertThat(failure.leavesOutcomeUnknown()).isFalse();
    } finally {
      crowd.forEach(Jedis::close);
    }
    assertThat(RedisProcess.await(() -> {
          try {
            takeAndReleaseOnANewConnection();
            return true;
          } catch (LockException e) {
            return false;
          }
        }))
        .isTrue();
    assertThat(RedisProcess.await(() -> stat("clients", "connected_clients") <= 3))
        .isTrue();
  }

  private void takeAndReleaseOnANewConnection() {
    try (RedisLockBackend late = RedisLockBackend.connect(server.url())) {
      late.release(take(late, "report", LONG), NEVER);
    }
  }

  @Test
  void aStormOfThreadsGetsAnswersWithTheFewConnectionsThereAre() throws Exception {
    int threads = 64;
    ExecutorService storm = Executors.newFixedThreadPool(threads);
    try (RedisClient client = client(8, Duration.ofSeconds(60));
        RedisLockBackend crowded = RedisLockBackend.over(client)) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        String mine = "key " + i;
        all.add(storm.submit(() -> {
          int rounds = 0;
          for (; rounds < 20; rounds++) {
            LockId id = take(crowded, mine, LONG);
            crowded.release(id, NEVER);
          }
          return rounds;
        }));
      }
      for (Future<Integer> each : all) {
        assertThat(each.get(2, TimeUnit.MINUTES)).isEqualTo(20);
      }
      assertThat(client.getPool().getNumActive()).isZero();
      assertThat(stat("clients", "connected_clients")).isLessThanOrEqualTo(8 + 3);
    } finally {
      storm.shutdownNow();
    }
  }

  @Test
  void aWrongPasswordOrAMissingPermissionIsARefusalByTheServer() {
    jedis.aclSetUser(
        "reader",
        "on",
        ">canary",
        "~syncguard:*",
        "+@connection",
        "+evalsha",
        "+eval",
        "+time",
        "+get");
    assertThat(codeAs("reader", "wrong")).isEqualTo(LockException.Code.AUTH_FAILED);
    assertThat(codeAs("reader", "canary")).isEqualTo(LockException.Code.AUTH_FAILED);
    jedis.aclSetUser("reader", "+set", "+incr", "+decr", "+del", "+pexpire");
    try (RedisLockBackend allowed =
        RedisLockBackend.connect("redis://reader:canary@127.0.0.1:" + server.port())) {
      LockId id = take(allowed, "report", LONG);
      allowed.release(id, NEVER);
    }
    jedis.aclDelUser("reader");
  }

  private LockException.Code codeAs(String user, String password) {
    LockException refusal = catchThrowableOfType(LockException.class, () -> {
      try (RedisLockBackend refused = RedisLockBackend.connect(
          "redis://" + user + ":" + password + "@127.0.0.1:" + server.port())) {
        refused.acquire(key("report"), newId(), LONG, NEVER);
      }
    });
    assertThat(refusal).hasMessageNotContaining("canary").hasMessageNotContaining("reader");
    return refusal.code();
  }

  @Test
  void aServerWithoutMemoryTakesNoLockAndForgetsNoFence() {
    release(take("report"));
    jedis.configSet("maxmemory", "1");
    try {
      LockException failure = catchThrowableOfType(
          LockException.class, () -> backend.acquire(key("report"), newId(), LONG, NEVER));
      assertThat(failure.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
    } finally {
      jedis.configSet("maxmemory", "0");
    }
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:syncguard:report");
    assertThat(jedis.get("syncguard:fence:syncguard:report")).isEqualTo("1");
  }

  @Test
  void aServerThatForgotOurScriptsGetsThemAgain() {
    LockId id = take("report");
    jedis.scriptFlush();
    assertThat(backend.isLocked(key("report"), NEVER)).isTrue();
    jedis.scriptFlush();
    assertThat(release(id)).isTrue();
  }

  @Test
  void aSilentServerIsATimeout() {
    try (RedisClient impatient = RedisClient.builder()
            .hostAndPort(server.address())
            .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(200).build())
            .build();
        RedisLockBackend waiting = RedisLockBackend.over(impatient)) {
      waiting.isLocked(key("report"), NEVER);
      jedis.clientPause(1000);
      LockException failure = catchThrowableOfType(
          LockException.class, () -> waiting.acquire(key("report"), newId(), LONG, NEVER));
      assertThat(failure.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
      assertThat(failure.leavesOutcomeUnknown()).isTrue();
    } finally {
      jedis.clientUnpause();
    }
  }

  @Test
  void theAnswerToAnotherQuestionIsNeverTakenForOurs() {
    LockId theirs = take("theirs");
    for (Function<RedisLockBackend, ?> question : List.<Function<RedisLockBackend, ?>>of(
        with -> with.acquire(key("ours"), newId(), LONG, NEVER),
        with -> with.extend(newId(), LONG, NEVER),
        with -> with.release(newId(), NEVER))) {
      try (RedisClient client = client(1, Duration.ofSeconds(10));
          RedisLockBackend confused = RedisLockBackend.over(client)) {
        confused.isLocked(key("ours"), NEVER);
        try (Connection hasty = client.getPool().getResource()) {
          leaveUnread(hasty, theirs);
        }
        LockException failure =
            catchThrowableOfType(LockException.class, () -> question.apply(confused));
        assertThat(failure.code()).isEqualTo(LockException.Code.INTERNAL);
        assertThat(failure.leavesOutcomeUnknown()).isTrue();
      }
    }
  }

  /** Asks for an extension, which is granted, and does not wait for the answer. */
  private static void leaveUnread(Connection connection, LockId id) {
    connection.sendCommand(
        Protocol.Command.EVAL,
        Script.EXTEND.text(),
        "1",
        new RedisKeys(RedisKeys.DEFAULT_PREFIX).index(id),
        id.value(),
        "60000");
  }
}
