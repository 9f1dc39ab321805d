package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Whatever connections we are given, or not given. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresConnectionsIT {

  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);

  private final PostgresDatabase database = new PostgresDatabase();
  private PostgresLockBackend setUp;

  @BeforeEach
  void open() {
    setUp = database.open();
  }

  @AfterEach
  void close() {
    setUp.close();
    database.close();
  }

  private static LockId newId() {
    return LockId.random(new SecureRandom());
  }

  private static LockException refusal(Runnable call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::run);
    assertThat(refusal).isNotNull();
    return refusal;
  }

  private static void assertTakesAndReleases(LockBackend backend) {
    LockId id = newId();
    assertThat(backend.acquire(KEY, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(backend.acquire(KEY, newId(), TTL, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
  }

  private PGSimpleDataSource withOptions(String options) {
    PGSimpleDataSource source = database.source();
    source.setOptions(options);
    return source;
  }

  @Test
  void aDefaultOfRepeatableReadIsOverruled() throws Exception {
    PGSimpleDataSource source = withOptions("-c default_transaction_isolation=repeatable\\ read");
    try (HikariDataSource pool = database.pool(source, 6);
        PostgresLockBackend backend = PostgresLockBackend.over(pool);
        Locks locks = Locks.over(backend)) {
      assertTakesAndReleases(backend);
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      int[] counter = new int[1];
      for (int i = 0; i < 4; i++) {
        Thread thread = new Thread(() -> {
          for (int round = 0; round < 10; round++) {
            locks.lock("counter").waitUpTo(Duration.ofMinutes(1)).run(lease -> counter[0]++);
          }
        });
        thread.setUncaughtExceptionHandler((t, e) -> {
          synchronized (failures) {
            failures.add(e);
          }
        });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(counter[0]).isEqualTo(40);
      try (Connection returned = pool.getConnection()) {
        assertThat(returned.getTransactionIsolation())
            .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
      }
    }
  }

  @Test
  void aPoolWithoutAutocommitGetsItsConnectionsBackAsTheyWere() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.source());
    config.setAutoCommit(false);
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        PostgresLockBackend backend = PostgresLockBackend.over(pool)) {
      assertTakesAndReleases(backend);
      try (Connection returned = pool.getConnection()) {
        assertThat(returned.getAutoCommit()).isFalse();
        assertThat(returned.getNetworkTimeout()).isZero();
      }
    }
  }

  /** A data source that hands out one connection again and again, as those do that are bound to a transaction. */
  private static DataSource boundTo(Connection connection) {
    Connection unclosable = (Connection) Proxy.newProxyInstance(
        Connection.class.getClassLoader(),
        new Class<?>[] {Connection.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
    return (DataSource) Proxy.newProxyInstance(
        DataSource.class.getClassLoader(),
        new Class<?>[] {DataSource.class},
        (proxy, method, arguments) -> unclosable);
  }

  @Test
  void theTransactionOfACallerIsNeitherJoinedNorCommitted() throws Exception {
    database.execute("CREATE TABLE work (done int)");
    try (Connection connection = database.source().getConnection();
        PostgresLockBackend backend = PostgresLockBackend.over(boundTo(connection))) {
      connection.setAutoCommit(false);
      PostgresDatabase.execute(connection, "INSERT INTO work VALUES (1)");
      LockException refusal = refusal(() -> backend.acquire(KEY, newId(), TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
      assertThat(refusal.getMessage()).contains("transaction");
      connection.rollback();
      assertThat(connection.getAutoCommit()).isFalse();
    }
    assertThat(database.number("SELECT count(*) FROM work")).isZero();
    assertThat(setUp.isLocked(KEY, NEVER)).isFalse();
  }

  @Test
  void aServerThatOnlyReadsIsReportedAndNeverTakenForContention() throws Exception {
    LockId id = newId();
    setUp.acquire(KEY, id, TTL, NEVER);
    try (PostgresLockBackend replica =
        PostgresLockBackend.over(withOptions("-c default_transaction_read_only=on"))) {
      assertThat(refusal(() -> replica.acquire(LockKey.of("free"), newId(), TTL, NEVER))
              .code())
          .isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(refusal(() -> replica.release(id, NEVER)).code())
          .isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
      assertThat(replica.lookup(new LockQuery.ById(id), NEVER)).isPresent();
      assertThat(replica.storeCheck().orElseThrow().examine(NEVER)).anySatisfy(finding -> {
        assertThat(finding.severity()).isEqualTo(StoreCheck.Severity.FAILURE);
        assertThat(finding.subject()).isEqualTo("writing");
      });
    }
  }

  @Test
  void aPoolWithNothingLeftIsReportedAndNothingLeaks() throws Exception {
    try (HikariDataSource pool = database.pool(database.source(), 2);
        PostgresLockBackend backend = PostgresLockBackend.over(pool)) {
      long patience = pool.getConnectionTimeout();
      try (Connection one = pool.getConnection();
          Connection two = pool.getConnection()) {
        pool.setConnectionTimeout(250);
        for (int i = 0; i < 3; i++) {
          LockException refusal = refusal(() -> backend.acquire(KEY, newId(), TTL, NEVER));
          assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
          assertThat(refusal.isRetryable()).isTrue();
          assertThat(refusal).hasMessageContaining("that the pool is large enough");
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(2);
      }
      pool.setConnectionTimeout(patience);
      assertTakesAndReleases(backend);
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void aServerWithoutAFreeConnectionAsksToSlowDown() throws SQLException {
    String role = database.name() + "_crowd";
    database.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'its-password' CONNECTION LIMIT 1");
    PGSimpleDataSource source = database.source();
    source.setUser(role);
    source.setPassword("its-password");
    try (Connection only = source.getConnection();
        PostgresLockBackend backend = PostgresLockBackend.over(source)) {
      assertThat(only.isValid(5)).isTrue();
      assertThat(refusal(() -> backend.isLocked(KEY, NEVER)).code())
          .isEqualTo(LockException.Code.RATE_LIMITED);
    }
    PostgresDatabase.await(() ->
        database.number("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + role + "'")
            == 0);
    database.execute("DROP ROLE " + role);
  }

  @Test
  void aWrongPasswordAndAWrongDatabaseAreToldApart() {
    String wrongPassword = database.url().replace(PostgresServer.PASSWORD, "not-the-password");
    try (PostgresLockBackend backend = PostgresLockBackend.builder(wrongPassword)
        .timeout(Duration.ofSeconds(2))
        .build()) {
      LockException refusal = refusal(() -> backend.isLocked(KEY, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.AUTH_FAILED);
      assertThat(refusal).hasMessageNotContaining("not-the-password");
      assertThat(refusal.getCause()).hasMessageNotContaining("not-the-password");
    }
    try (PostgresLockBackend backend = PostgresLockBackend.builder(
            database.url().replace("/test_", "/no_such_"))
        .timeout(Duration.ofSeconds(2))
        .build()) {
      assertThat(refusal(() -> backend.isLocked(KEY, NEVER)).code())
          .isEqualTo(LockException.Code.INVALID_ARGUMENT);
    }
  }

  @Test
  void anInterruptedThreadStillReleases() {
    LockId id = newId();
    setUp.acquire(KEY, id, TTL, NEVER);
    Thread.currentThread().interrupt();
    try {
      assertThat(setUp.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(setUp.isLocked(KEY, NEVER)).isFalse();
  }

  @Test
  void anInterruptWhileAReleaseWaitsForThePoolDoesNotStopIt() throws Exception {
    LockId id = newId();
    setUp.acquire(KEY, id, TTL, NEVER);
    try (HikariDataSource pool = database.pool(database.source(), 1);
        PostgresLockBackend backend = PostgresLockBackend.over(pool)) {
      Connection only = pool.getConnection();
      AtomicBoolean stillInterrupted = new AtomicBoolean();
      Thread releasing = new Thread(() -> {
        backend.release(id, NEVER);
        stillInterrupted.set(Thread.currentThread().isInterrupted());
      });
      releasing.start();
      PostgresDatabase.await(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);
      releasing.interrupt();
      PostgresDatabase.await(() -> !releasing.isInterrupted()
          && pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);
      only.close();
      releasing.join();
      assertThat(stillInterrupted).isTrue();
    }
    assertThat(setUp.isLocked(KEY, NEVER)).isFalse();
  }

  @Test
  void aKilledSessionIsReplaced() {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url());
        Locks locks = Locks.over(backend)) {
      assertTakesAndReleases(backend);
      database
          .server()
          .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database.name() + "' AND application_name = 'syncguard'");
      try (Lease lease = locks.lock("report").waitUpTo(Duration.ofSeconds(30)).acquire()) {
        assertThat(lease.isHeld()).isTrue();
      }
    }
  }

  @Test
  void oneIdCannotServeTwoKeysAndNobodyIsToldWhich() {
    LockId id = newId();
    setUp.acquire(KEY, id, TTL, NEVER);
    LockException refusal = refusal(() -> setUp.acquire(LockKey.of("elsewhere"), id, TTL, NEVER));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    for (Throwable each = refusal; each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain(id.value()).doesNotContain("elsewhere");
    }
    assertThat(database.number("SELECT count(*) FROM syncguard_fence_counters")).isEqualTo(1);
  }

  @Test
  void aRowThatNoLibraryWroteIsReportedAndLeftAlone() {
    database.execute(
        "INSERT INTO syncguard_locks VALUES ('report', 'not an id', 9000000000000, 0, 'abc', 'report')");
    assertThat(refusal(() -> setUp.lookup(new LockQuery.ByKey(KEY), NEVER)).code())
        .isEqualTo(LockException.Code.INTERNAL);
    assertThat(setUp.acquire(KEY, newId(), TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    database.execute(
        "UPDATE syncguard_fence_counters SET fence = -5; INSERT INTO syncguard_fence_counters VALUES ('fence:x', -5)");
    assertThat(
            refusal(() -> setUp.acquire(LockKey.of("x"), newId(), TTL, NEVER)).code())
        .isEqualTo(LockException.Code.INTERNAL);
    assertThat(database.number(
            "SELECT fence FROM syncguard_fence_counters WHERE fence_key = 'fence:x'"))
        .isEqualTo(-5);
  }

  @Test
  void connectionsThatTheServerEndedAreLentAtMostOnce() throws Exception {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url())) {
      LockId holder = newId();
      backend.acquire(KEY, holder, TTL, NEVER);
      List<LockId> others = together(6, i -> {
        LockId id = newId();
        backend.acquire(LockKey.of("other " + i), id, TTL, NEVER);
        return id;
      });
      database
          .server()
          .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database.name() + "'");
      int failures = 0;
      for (LockId id : others) {
        try {
          assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
        } catch (LockException e) {
          failures++;
          assertThat(e.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
        }
      }
      assertThat(failures).isLessThanOrEqualTo(1);
      assertThat(backend.release(holder, NEVER)).isInstanceOf(ReleaseResult.Released.class);
    }
  }

  @Test
  void oneMoreThanTheOwnConnectionsCanServeWaitsForItsTurn() throws Exception {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url())) {
      List<Boolean> answers = together(25, i -> {
        LockId id = newId();
        backend.acquire(LockKey.of("key " + i), id, TTL, NEVER);
        return backend.release(id, NEVER) instanceof ReleaseResult.Released;
      });
      assertThat(answers).hasSize(25).containsOnly(true);
      assertThat(database.number(
              "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <>"
                  + " pg_backend_pid() AND application_name = 'syncguard'"))
          .isLessThanOrEqualTo(10 + 1);
    }
  }

  @Test
  void whoAsksWhetherAKeyIsLockedDoesNotWaitForTheCleanup() throws Exception {
    try (PostgresLockBackend cleaning = PostgresLockBackend.builder(database.url())
            .cleanupInIsLocked(true)
            .timeout(Duration.ofHours(1))
            .build();
        Connection busy = database.source().getConnection()) {
      busy.setAutoCommit(false);
      PostgresDatabase.execute(busy, "LOCK TABLE syncguard_locks IN SHARE MODE");
      assertThat(cleaning.isLocked(KEY, NEVER)).isFalse();
      database.awaitBlockedSession();
      assertThat(cleaning.isLocked(KEY, NEVER)).isFalse();
      busy.rollback();
    }
  }

  /** Runs something on as many threads at once, and returns what they returned. */
  private static <T> List<T> together(int threads, IntFunction<T> action) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        calls.add(() -> action.apply(number));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : executor.invokeAll(calls)) {
        answers.add(answer.get());
      }
      return answers;
    } finally {
      executor.shutdownNow();
    }
  }
}
