package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.proxy.FaultProxy.Failure;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each of the first forty requests is lost in each way: no wrong answer, no ghost, no success that was not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PostgresFaultIT {

  private static final int REQUESTS = 40;

  /** Far more than a fault costs: on a busy machine our short timeouts make faults of their own. */
  private static final int MOST_TRIES = 100;

  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl LONG = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Set<LockException.Code> NO_ANSWER =
      EnumSet.of(LockException.Code.NETWORK_TIMEOUT, LockException.Code.SERVICE_UNAVAILABLE);

  private final PostgresDatabase database = new PostgresDatabase();
  private final List<Fence> fences = new ArrayList<>();
  private LockBackend backend;
  private FaultProxy proxy;

  @BeforeEach
  void open() throws Exception {
    backend = database.open();
    proxy = FaultProxy.to("127.0.0.1", database.server().port());
  }

  @AfterEach
  void close() {
    proxy.close();
    backend.close();
    database.close();
  }

  private PostgresLockBackend throughProxy() {
    return PostgresLockBackend.builder(PostgresServer.url(proxy.port(), database.name()))
        .timeout(TIMEOUT)
        .build();
  }

  private static LockId newId() {
    return LockId.random(RANDOM);
  }

  /** Asks until there is an answer, as a careful caller does. */
  private static <T> T repeat(Supplier<T> question) {
    for (int tried = 1; ; tried++) {
      try {
        return question.get();
      } catch (LockException e) {
        assertThat(e.code()).isIn(NO_ANSWER);
        assertThat(tried).as("tries").isLessThan(MOST_TRIES);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void everyOperationSurvivesTheLossOfAnyRequest(Failure failure) {
    for (int request = 1; request <= REQUESTS; request++) {
      proxy.failAt(request, failure);
      try (LockBackend unlucky = throughProxy()) {
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
    AcquireResult taken = repeat(() -> unlucky.acquire(KEY, id, LONG, NEVER));
    assertThat(taken).as("nobody else wants it").isInstanceOf(AcquireResult.Acquired.class);
    fences.add(((AcquireResult.Acquired) taken).fence());
    assertThat(holder()).isEqualTo(id);

    assertThat(repeat(() -> unlucky.isLocked(KEY, NEVER))).isTrue();
    assertThat(repeat(() -> unlucky.lookup(new LockQuery.ById(id), NEVER))).isPresent();
    LockId rival = newId();
    assertThat(repeat(() -> unlucky.acquire(KEY, rival, LONG, NEVER)))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(repeat(() -> unlucky.extend(id, LONG, NEVER)))
        .isInstanceOf(ExtendResult.Extended.class);

    LockId heir = newId();
    try (WaitingLine.Place place = unlucky.waitingLine().orElseThrow().join(KEY, heir, () -> {})) {
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
      PostgresDatabase.await(() -> !proxy.isDelivering());
      for (LockId id : ids) {
        backend.release(id, NEVER);
      }
    }
    assertThat(backend.isLocked(KEY, NEVER)).as("a ghost").isFalse();
  }

  private LockId holder() {
    return backend.lookupRaw(new LockQuery.ByKey(KEY), NEVER).orElseThrow().lockId();
  }

  /** The connections of a backend that goes on living are replaced one by one, so each kind of failure needs only one. */
  @ParameterizedTest
  @EnumSource(Failure.class)
  void waitersSurviveTheLossOfAnyRequest(Failure failure) {
    try (LockBackend unlucky = throughProxy()) {
      for (int request = 1; request <= REQUESTS; request++) {
        proxy.failAt(request, failure);
        try {
          for (int round = 0; !proxy.hasFailed(); round++) {
            standInLineOnce(unlucky, failure);
            assertThat(round).as("rounds until request " + request).isLessThan(REQUESTS);
          }
        } catch (AssertionError e) {
          throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
        }
      }
      standInLineOnce(unlucky, failure);
    }
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  /** Waits behind a holder whom no fault touches. */
  private void standInLineOnce(LockBackend unlucky, Failure failure) {
    LockId holder = newId();
    // Whoever came late in the round before has its turn, like anybody.
    PostgresDatabase.await(
        () -> backend.acquire(KEY, holder, LONG, NEVER) instanceof AcquireResult.Acquired);
    LockId id = newId();
    try (WaitingLine.Place place = unlucky.waitingLine().orElseThrow().join(KEY, id, () -> {})) {
      assertThat(repeat(() -> place.attempt(LONG, NEVER)))
          .isInstanceOf(AcquireResult.Contended.class);
      assertThat(backend.release(holder, NEVER)).isInstanceOf(ReleaseResult.Released.class);
      AcquireResult taken = takeTurn(place, id);
      assertThat(taken).as("its turn").isInstanceOf(AcquireResult.Acquired.class);
      fences.add(((AcquireResult.Acquired) taken).fence());
      assertThat(holder()).isEqualTo(id);
    }
    repeat(() -> unlucky.release(id, NEVER));
    giveBack(failure, id);
  }

  /**
   * A request that arrives late stands in line once more although its place was left long ago, and has its turn like anybody.
   * Nothing else may keep the key from us.
   */
  private AcquireResult takeTurn(WaitingLine.Place place, LockId id) {
    List<AcquireResult> answers = new ArrayList<>();
    PostgresDatabase.await(() -> {
      answers.add(repeat(() -> place.attempt(LONG, NEVER)));
      return answers.get(answers.size() - 1) instanceof AcquireResult.Acquired || !isBehind(id);
    });
    return answers.get(answers.size() - 1);
  }

  private boolean isBehind(LockId id) {
    return database.number(
            "SELECT count(*) FROM syncguard_locks_waiters WHERE lock_id <> '" + id.value() + "'")
        > 0;
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void usersWhoWaitAreWokenDespiteLostRequests(Failure failure) {
    for (int request = 1; request <= REQUESTS; request += 6) {
      proxy.failAt(request, failure);
      try (PostgresLockBackend unlucky = throughProxy();
          Locks locks = Locks.over(unlucky)) {
        for (int round = 0; !proxy.hasFailed(); round++) {
          waitOnce(locks);
          assertThat(round).as("rounds until request " + request).isLessThan(REQUESTS);
        }
        waitOnce(locks);
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      }
      proxy.cutAll();
    }
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  /** Somebody holds the key until we stand in line for it. */
  private void waitOnce(Locks locks) {
    LockId holder = newId();
    PostgresDatabase.await(
        () -> backend.acquire(KEY, holder, LONG, NEVER) instanceof AcquireResult.Acquired);
    Thread releasing = new Thread(() -> {
      PostgresDatabase.await(
          () -> database.number("SELECT count(*) FROM syncguard_locks_waiters") > 0);
      backend.release(holder, NEVER);
    });
    releasing.start();
    try {
      locks
          .lock(KEY.value())
          .waitUpTo(Duration.ofSeconds(60))
          .run(lease -> fences.add(lease.fence()));
      releasing.join();
    } catch (LockException e) {
      assertThat(e.code()).isIn(NO_ANSWER);
      backend.release(holder, NEVER);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
