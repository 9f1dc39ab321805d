package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool of the caller that would wait for a connection for ever: nobody waits for it longer than they want to. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PostgresForeignPoolIT {

  private final PostgresDatabase database = new PostgresDatabase();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch lending = new CountDownLatch(1);
  private PostgresLockBackend setUp;
  private HikariDataSource pool;
  private PostgresLockBackend backend;
  private Locks locks;

  @BeforeEach
  void open() {
    setUp = database.open();
    HikariConfig config = new HikariConfig();
    config.setDataSource(dataSource((proxy, method, arguments) -> {
      asked.countDown();
      lending.await();
      return database.source().getConnection();
    }));
    config.setMinimumIdle(0);
    config.setConnectionTimeout(0);
    config.setInitializationFailTimeout(-1);
    pool = new HikariDataSource(config);
    backend = PostgresLockBackend.over(pool);
    locks = Locks.over(backend);
  }

  private DataSource dataSource(InvocationHandler getConnection) {
    DataSource real = database.source();
    return (DataSource) Proxy.newProxyInstance(
        DataSource.class.getClassLoader(),
        new Class<?>[] {DataSource.class},
        (proxy, method, arguments) -> method.getName().equals("getConnection")
            ? getConnection.invoke(proxy, method, arguments)
            : method.invoke(real, arguments));
  }

  @AfterEach
  void close() {
    lending.countDown();
    locks.close();
    backend.close();
    pool.close();
    setUp.close();
    database.close();
  }

  private static LockException refusalOf(Runnable request) {
    return catchThrowableOfType(LockException.class, request::run);
  }

  private void assertNothingIsKept() {
    lending.countDown();
    PostgresDatabase.await(() -> pool.getHikariPoolMXBean().getTotalConnections() > 0
        && pool.getHikariPoolMXBean().getActiveConnections() == 0);
    assertThat(setUp.isLocked(LockKey.of("report"), Cancellation.none())).isFalse();
  }

  @Test
  void aWaitEndsAtItsLimitAndSaysThatTheStoreWasSilent() {
    LockException refusal =
        refusalOf(() -> locks.lock("report").waitUpTo(Duration.ofMillis(50)).acquire());
    assertThat(refusal.code()).isEqualTo(Code.NETWORK_TIMEOUT);
    assertNothingIsKept();
  }

  @Test
  void aWaitThatIsCancelledEnds() throws Exception {
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<LockException> waiting =
        CompletableFuture.supplyAsync(() -> refusalOf(() -> locks
            .lock("report")
            .waitUpTo(Duration.ofHours(1))
            .cancelWith(cancellation)
            .acquire()));
    asked.await();
    cancellation.cancel();
    assertThat(waiting.get().code()).isEqualTo(Code.ABORTED);
    assertNothingIsKept();
  }

  @Test
  void aWaiterThatIsInterruptedEnds() throws Exception {
    CompletableFuture<LockException> waiting = new CompletableFuture<>();
    Thread waiter = new Thread(() -> waiting.complete(
        refusalOf(() -> locks.lock("report").waitUpTo(Duration.ofHours(1)).acquire())));
    waiter.start();
    asked.await();
    waiter.interrupt();
    assertThat(waiting.get().code()).isEqualTo(Code.ABORTED);
    assertNothingIsKept();
  }

  /** What it lends may depend on the thread: on its transaction, or on its tenant. */
  @Test
  void aDataSourceThatWeDoNotKnowIsAskedInTheThreadOfTheCaller() {
    List<Thread> asking = new CopyOnWriteArrayList<>();
    DataSource byThread = dataSource((proxy, method, arguments) -> {
      asking.add(Thread.currentThread());
      return database.source().getConnection();
    });
    try (PostgresLockBackend backendByThread = PostgresLockBackend.over(byThread);
        Locks locksByThread = Locks.over(backendByThread)) {
      locksByThread.lock("report").run(lease -> lease.extend(Duration.ofMinutes(1)));
    }
    assertThat(asking).isNotEmpty().containsOnly(Thread.currentThread());
  }
}
