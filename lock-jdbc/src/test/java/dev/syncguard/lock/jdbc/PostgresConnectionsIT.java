package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.jdbc.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
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
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections of our own, and servers that will not give us one. */
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

  private PGSimpleDataSource withOptions(String options) {
    PGSimpleDataSource source = database.source();
    source.setOptions(options);
    return source;
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
  void aKilledSessionIsReplaced() {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url());
        Locks locks = Locks.over(backend)) {
      assertThat(backend.isLocked(KEY, NEVER)).isFalse();
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
