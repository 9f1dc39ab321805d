package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that goes away and comes back. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresOutageIT {

  private final PostgresServer server = PostgresServer.start(PostgresBinaries.V18);
  private PostgresLockBackend backend;
  private Locks locks;

  @BeforeEach
  void open() {
    backend = PostgresLockBackend.connect(server.url());
    backend.setupSchema();
    locks = Locks.over(backend);
  }

  @AfterEach
  void close() {
    locks.close();
    backend.close();
    server.close();
  }

  @Test
  void aWaiterOutlastsARestartAndIsServedSoonAfterIt() throws Exception {
    try (PostgresLockBackend other = PostgresLockBackend.connect(server.url());
        Locks others = Locks.over(other)) {
      Lease holder = others.lock("report").ttl(Duration.ofSeconds(1)).acquire();
      CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(
          () -> locks.lock("report").waitUpTo(Duration.ofMinutes(2)).acquire());
      PostgresDatabase.await(
          () -> server.number("SELECT count(*) FROM syncguard_locks_waiters") > 0);
      server.kill();
      TimeUnit.SECONDS.sleep(4);
      server.start();
      long start = System.nanoTime();
      try (Lease lease = waiting.get()) {
        assertThat(lease.fence()).isGreaterThan(holder.fence());
      }
      System.out.println("Granted " + (System.nanoTime() - start) / 1_000_000
          + " ms after the server answered again");
    }
  }

  @Test
  void whoeverWaitsInVainForAServerIsNotToldThatSomebodyHeldTheLock() {
    server.kill();
    long start = System.nanoTime();
    LockException refusal = catchThrowableOfType(
        LockException.class,
        () -> locks.lock("report").waitUpTo(Duration.ofSeconds(3)).acquire());
    System.out.println("Gave up after " + (System.nanoTime() - start) / 1_000_000 + " ms");
    assertThat(refusal.getMessage()).contains("no connection");
    assertThat(refusal.code()).isNotEqualTo(LockException.Code.ACQUISITION_TIMEOUT);
    server.start();
  }
}
