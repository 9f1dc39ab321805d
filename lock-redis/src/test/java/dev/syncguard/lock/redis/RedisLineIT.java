package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.RetryPolicy;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The line at the server: who is called, what a missing waiter costs, and that nothing stays behind. */
class RedisLineIT extends OneServer {

  RedisLineIT() {
    super("--appendonly", "yes");
  }

  private static final class Waiter implements AutoCloseable {
    final LockId id = newId();
    final Semaphore calls = new Semaphore(0);
    final WaitingLine.Place place;

    Waiter(RedisLockBackend at) {
      place = at.waitingLine().orElseThrow().join(key("report"), id, calls::release);
    }

    boolean succeeds() {
      return place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired;
    }

    boolean isCalled() throws InterruptedException {
      return calls.tryAcquire(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      place.close();
    }
  }

  /** Stands in line behind everybody who is there already. */
  private static Waiter standing(RedisLockBackend at) {
    Waiter waiter = new Waiter(at);
    assertThat(waiter.succeeds()).isFalse();
    waiter.calls.drainPermits();
    return waiter;
  }

  @Test
  void onlyTheFirstIsCalled() throws Exception {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (Waiter first = standing(patient);
        Waiter second = standing(openPatient());
        Waiter third = standing(patient)) {
      patient.release(holder, NEVER);
      assertThat(first.isCalled()).isTrue();
      assertThat(first.succeeds()).isTrue();
      assertThat(second.calls.availablePermits() + third.calls.availablePermits())
          .isZero();
      patient.release(first.id, NEVER);
      assertThat(second.isCalled()).isTrue();
      assertThat(third.calls.availablePermits()).isZero();
    }
  }

  @Test
  void nobodyElseGetsTheLockWhileItIsKeptForTheFirst() {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (Waiter first = standing(patient);
        Waiter newcomer = new Waiter(patient)) {
      patient.release(holder, NEVER);
      assertThat(isTaken("report", newId())).isFalse();
      assertThat(newcomer.succeeds()).isFalse();
      assertThat(backend.isLocked(key("report"), NEVER)).isFalse();
      assertThat(first.succeeds()).isTrue();
    }
  }

  @Test
  void aWaiterWhoseProcessIsGoneIsNotCalled() throws Exception {
    RedisLockBackend dying = openPatient();
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (Waiter dead = standing(dying);
        Waiter living = standing(patient)) {
      dying.close();
      patient.release(holder, NEVER);
      assertThat(living.isCalled()).isTrue();
      assertThat(living.succeeds()).isTrue();
    }
  }

  @Test
  void aWaiterThatDoesNotComeLosesItsTurnButNotForLong() {
    LockId holder = take("report");
    RedisLockBackend hung = open(RedisLockBackend.builder(server.patient()));
    try (Waiter asleep = standing(hung);
        Waiter next = standing(backend)) {
      release(holder);
      assertThat(RedisProcess.await(next::succeeds)).isTrue();
      release(next.id);
      assertThat(asleep.succeeds()).as("it comes late and finds the lock free").isTrue();
    }
  }

  @Test
  void whoeverMissedItsTurnIsFirstAgain() {
    LockId holder = take("report");
    try (Waiter slow = standing(backend);
        Waiter second = standing(openPatient())) {
      release(holder);
      assertThat(RedisProcess.await(() -> !jedis.exists("syncguard:report"))).isTrue();
      RedisLockBackend patient = openPatient();
      LockId lucky = take(patient, "report", LONG);
      assertThat(second.succeeds()).isFalse();
      assertThat(slow.succeeds()).isFalse();
      patient.release(lucky, NEVER);
      assertThat(second.succeeds()).isFalse();
      assertThat(slow.succeeds()).isTrue();
    }
  }

  @Test
  void aHandOffInsideAProcessTakesItsHeirOutOfTheLine() {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (Waiter heir = standing(patient);
        Waiter other = standing(openPatient());
        Waiter heirOfHeir = new Waiter(patient)) {
      assertThat(heir.place.takeOver(holder, LONG)).isInstanceOf(AcquireResult.Acquired.class);
      assertThat(heirOfHeir.place.takeOver(heir.id, LONG))
          .isInstanceOf(AcquireResult.Acquired.class);
      patient.release(heirOfHeir.id, NEVER);
      assertThat(other.succeeds()).as("the next in line").isTrue();
    }
  }

  @Test
  void nothingIsLeftWhenAllHaveGone() {
    LockId holder = take("report");
    try (Waiter first = standing(backend);
        Waiter second = standing(backend)) {
      assertThat(jedis.exists("syncguard:report\0line")).isTrue();
      assertThat(jedis.pttl("syncguard:report\0line")).isBetween(1L, 5_000L);
    }
    assertThat(jedis.exists("syncguard:report\0line")).isFalse();
    release(holder);
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:syncguard:report");
  }

  @Test
  void aLineThatNobodyTendsGoesByItself() {
    LockId holder = take("report");
    standing(open(RedisLockBackend.builder(server.patient())));
    assertThat(RedisProcess.await(() -> !jedis.exists("syncguard:report\0line")))
        .isTrue();
    release(holder);
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:syncguard:report");
  }

  @Test
  void closingTheBackendEndsItsThreadAndItsSubscription() {
    LockId holder = take("report");
    RedisLockBackend other = open(RedisLockBackend.builder(server.patient()));
    standing(other).close();
    assertThat(jedis.clientList()).contains("cmd=subscribe");
    other.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("syncguard-redis-wake-ups");
    assertThat(RedisProcess.await(() -> !jedis.clientList().contains("cmd=subscribe")))
        .isTrue();
    release(holder);
  }

  @Test
  void aSubscriptionThatBreaksComesBackAndEverybodyLooksAgain() throws Exception {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (Waiter waiter = standing(patient)) {
      jedis.sendCommand(redis.clients.jedis.Protocol.Command.CLIENT, "KILL", "TYPE", "pubsub");
      assertThat(waiter.isCalled())
          .as("told to look again once the connection is back")
          .isTrue();
      assertThat(waiter.succeeds()).isFalse();
      waiter.calls.drainPermits();
      patient.release(holder, NEVER);
      assertThat(waiter.isCalled()).isTrue();
      assertThat(waiter.succeeds()).isTrue();
    }
  }

  @Test
  void waitersSurviveARestartOfTheServer() throws Exception {
    try (Locks locks = Locks.over(backend);
        Locks others = Locks.over(open(RedisLockBackend.builder(server.patient())))) {
      var lease = locks.lock("report").ttl(Duration.ofMinutes(5)).acquire();
      var waiting = others.lock("report").waitUpTo(Duration.ofMinutes(2)).acquireAsync();
      assertThat(RedisProcess.await(() -> jedis.exists("syncguard:report\0line")))
          .isTrue();
      // While the disk is busy Redis puts writes off, and a kill would lose them.
      assertThat(
              RedisProcess.await(() -> jedis.info("persistence").contains("aof_buffer_length:0\r")))
          .isTrue();
      server.kill();
      server.restart();
      assertThat(RedisProcess.await(this::answers)).isTrue();
      assertThat(lease.release()).isTrue();
      waiting.get(2, TimeUnit.MINUTES).close();
    } finally {
      jedis.close();
      jedis = server.jedis();
    }
  }

  /** The driver notices that a connection is gone by failing once more. */
  private boolean answers() {
    try {
      return backend.isLocked(key("report"), NEVER);
    } catch (LockException e) {
      return false;
    }
  }

  @Test
  void whoeverOnlyPollsIsNotStarvedByThoseInLine() throws Exception {
    AtomicBoolean served = new AtomicBoolean();
    int processes = 4;
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    List<Locks> all = new ArrayList<>();
    CountDownLatch busy = new CountDownLatch(processes * 5);
    try (Locks polling = Locks.builder(backend).pollingOnly().build()) {
      for (int i = 0; i < processes; i++) {
        Locks mine = Locks.over(open(RedisLockBackend.builder(server.patient())));
        all.add(mine);
        var unused = threads.submit(() -> {
          while (!served.get()) {
            mine.lock("report").waitUpTo(Duration.ofMinutes(1)).run(lease -> busy.countDown());
          }
        });
      }
      assertThat(busy.await(1, TimeUnit.MINUTES)).isTrue();
      for (int turn = 0; turn < 3; turn++) {
        polling
            .lock("report")
            .waitUpTo(Duration.ofMinutes(1))
            .polling(
                RetryPolicy.DEFAULT.withBackoff(RetryPolicy.Backoff.FIXED).withMaxRetries(1000))
            .run(lease -> {});
      }
    } finally {
      served.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      all.forEach(Locks::close);
    }
  }
}
