package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.jdbc.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections that the application lends: used whatever their settings, and given back as they were. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresDataSourceIT {

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

  private static void assertTakesAndReleases(LockBackend backend) {
    LockId id = newId();
    assertThat(backend.acquire(KEY, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(backend.acquire(KEY, newId(), TTL, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
  }

  @Test
  void aDefaultOfRepeatableReadIsOverruled() throws Exception {
    PGSimpleDataSource source = database.source();
    source.setOptions("-c default_transaction_isolation=repeatable\\ read");
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
}
