package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.proxy.FaultProxy.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** Each of the first forty requests is lost in each way: no wrong answer, no ghost, no success that was not. */
class RedisFaultIT extends OneServer {

  private static final int REQUESTS = 40;

  /** Far more than a fault costs: on a busy machine our short timeouts make faults of their own. */
  private static final int MOST_TRIES = 100;

  private static final Set<LockException.Code> NO_ANSWER =
      EnumSet.of(LockException.Code.NETWORK_TIMEOUT, LockException.Code.SERVICE_UNAVAILABLE);

  private FaultProxy proxy;
  private final List<Fence> fences = new ArrayList<>();

  @BeforeEach
  void openProxy() throws IOException {
    proxy = FaultProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  private RedisClient clientThroughProxy() {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", proxy.port()))
        .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(250).build())
        .build();
  }

  /** Asks until there is an answer, as a careful caller does. */
  private static <T> T repeat(Supplier<T> question) {
    for (int tried = 1; ; tried++) {
      try {
        return question.get();
      } catch (LockException e) {
        assertThat(e.code()).isIn(NO_ANSWER);
        assertThat(e.isRetryable()).isTrue();
        assertThat(tried).as("tries").isLessThan(MOST_TRIES);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void everyOperationSurvivesTheLossOfAnyRequest(Failure failure) {
    fences.clear();
    for (int request = 1; request <= REQUESTS; request++) {
      proxy.failAt(request, failure);
      try (RedisClient client = clientThroughProxy();
          LockBackend unlucky = RedisLockBackend.over(client)) {
        for (int round = 0; !proxy.hasFailed(); round++) {
          useOnce(unlucky, failure);
          assertThat(round).as("rounds until request " + request).isLessThan(REQUESTS);
        }
        useOnce(unlucky, failure);
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      }
      proxy.cutAll();
    }
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  private void useOnce(LockBackend unlucky, Failure failure) {
    LockId id = newId();
    AcquireResult taken = repeat(() -> unlucky.acquire(key("report"), id, LONG, NEVER));
    assertThat(taken).as("nobody else wants it").isInstanceOf(AcquireResult.Acquired.class);
    fences.add(((AcquireResult.Acquired) taken).fence());
    assertThat(holder()).isEqualTo(id);

    assertThat(repeat(() -> unlucky.isLocked(key("report"), NEVER))).isTrue();
    assertThat(repeat(() -> unlucky.lookup(new LockQuery.ById(id), NEVER))).isPresent();
    LockId rival = newId();
    assertThat(repeat(() -> unlucky.acquire(key("report"), rival, LONG, NEVER)))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(repeat(() -> unlucky.extend(id, LONG, NEVER)))
        .isInstanceOf(ExtendResult.Extended.class);

    LockId heir = newId();
    try (WaitingLine.Place place =
        unlucky.waitingLine().orElseThrow().join(key("report"), heir, () -> {})) {
      AcquireResult over = repeat(() -> place.takeOver(id, LONG));
      assertThat(over).isInstanceOf(AcquireResult.Acquired.class);
      fences.add(((AcquireResult.Acquired) over).fence());
    }
    assertThat(holder()).isEqualTo(heir);

    ReleaseResult released = repeat(() -> unlucky.release(heir, NEVER));
    assertThat(released).isInstanceOfAny(ReleaseResult.Released.class, ReleaseResult.Absent.class);
    giveBack(failure, id, rival, heir);
  }

  /** A request that arrives late may take the key once more. So a careful caller gives it back when nothing can come any more. */
  private void giveBack(Failure failure, LockId... ids) {
    if (failure == Failure.DELIVER_LATE) {
      assertThat(RedisProcess.await(() -> !proxy.isDelivering())).isTrue();
      for (LockId id : ids) {
        backend.release(id, NEVER);
      }
    }
    assertThat(backend.isLocked(key("report"), NEVER)).as("a ghost").isFalse();
  }

  private LockId holder() {
    return backend
        .lookupRaw(new LockQuery.ByKey(key("report")), NEVER)
        .orElseThrow()
        .lockId();
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void waitersSurviveTheLossOfAnyRequest(Failure failure) {
    for (int request = 1; request <= REQUESTS; request++) {
      try (RedisClient client = clientThroughProxy();
          RedisLockBackend unlucky = RedisLockBackend.over(client)) {
        proxy.failAt(request, failure);
        for (int round = 0; !proxy.hasFailed(); round++) {
          waitOnce(unlucky, failure);
          assertThat(round).as("rounds until request " + request).isLessThan(REQUESTS);
        }
        waitOnce(unlucky, failure);
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      }
      proxy.cutAll();
      assertThat(backend.isLocked(key("report"), NEVER)).as("a ghost").isFalse();
    }
  }

  /** Waits behind a holder whom no fault touches. */
  private void waitOnce(RedisLockBackend unlucky, Failure failure) {
    LockId holder = newId();
    assertThat(RedisProcess.await(() -> isTaken("report", holder))).isTrue();
    LockId id = newId();
    try (WaitingLine.Place place =
        unlucky.waitingLine().orElseThrow().join(key("report"), id, () -> {})) {
      assertThat(repeat(() -> place.attempt(LONG, NEVER)))
          .isInstanceOf(AcquireResult.Contended.class);
      assertThat(release(holder)).isTrue();
      assertThat(RedisProcess.await(
              () -> repeat(() -> place.attempt(LONG, NEVER)) instanceof AcquireResult.Acquired))
          .as("its turn")
          .isTrue();
      assertThat(holder()).isEqualTo(id);
    }
    repeat(() -> unlucky.release(id, NEVER));
    giveBack(failure, id);
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void aUserGetsItsWorkDoneOrAnErrorAndNoLockStaysBehind(Failure failure) {
    for (int request = 1; request <= REQUESTS; request++) {
      proxy.failAt(request, failure);
      AtomicBoolean told = new AtomicBoolean();
      try (RedisClient client = clientThroughProxy();
          LockBackend unlucky = RedisLockBackend.over(client);
          Locks locks = Locks.builder(unlucky)
              .onReleaseError((error, what) -> told.set(true))
              .build()) {
        AtomicInteger runs = new AtomicInteger();
        for (int round = 1; !proxy.hasFailed(); round++) {
          try {
            locks
                .lock("report")
                .ttl(Duration.ofMinutes(10))
                .waitUpTo(Duration.ofSeconds(30))
                .run(lease -> {
                  runs.incrementAndGet();
                  assertThat(holder()).isEqualTo(lease.id());
                });
          } catch (LockException e) {
            assertThat(e.code()).isIn(NO_ANSWER);
          }
          assertThat(runs.get()).isLessThanOrEqualTo(round);
          assertThat(round).isLessThan(REQUESTS + 1);
        }
        // A release that was lost on its way leaves the lock to its ttl, and the user is told so.
        assertThat(RedisProcess.await(() -> told.get() || !backend.isLocked(key("report"), NEVER)))
            .as("released, or told that it was not")
            .isTrue();
        jedis.del("syncguard:report");
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      }
      proxy.cutAll();
    }
  }
}
