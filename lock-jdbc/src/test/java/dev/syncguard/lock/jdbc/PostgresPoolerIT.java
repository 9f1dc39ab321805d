package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pooler stands between us and the server, and lends sessions by the transaction or for good. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresPoolerIT {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);

  @Test
  void sessionsLentByTheTransactionAreEnough() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase();
        Pgbouncer pooler = Pgbouncer.start(database, "transaction");
        PostgresLockBackend backend = PostgresLockBackend.connect(pooler.url());
        PostgresLockBackend other = PostgresLockBackend.connect(pooler.url())) {
      backend.setupSchema();
      AtomicInteger turns = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      try (Locks here = Locks.over(backend);
          Locks there = Locks.over(other)) {
        for (int i = 0; i < 4; i++) {
          Locks locks = i % 2 == 0 ? here : there;
          threads.add(new Thread(() -> {
            for (int round = 0; round < 10; round++) {
              locks
                  .lock("report")
                  .waitUpTo(Duration.ofMinutes(1))
                  .run(lease -> turns.incrementAndGet());
            }
          }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
      }
      assertThat(turns).hasValue(40);
      assertThat(database.number("SELECT count(*) FROM syncguard_locks_waiters"))
          .isZero();
      assertThat(backend.storeCheck().orElseThrow().examine(Cancellation.none()))
          .anySatisfy(finding -> {
            assertThat(finding.subject()).isEqualTo("wake-ups");
            assertThat(finding.severity()).isEqualTo(StoreCheck.Severity.WARNING);
          });
    }
  }

  @Test
  void sessionsLentForGoodLetWaitersBeWoken() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase();
        Pgbouncer pooler = Pgbouncer.start(database, "session");
        PostgresLockBackend backend = PostgresLockBackend.connect(pooler.url())) {
      backend.setupSchema();
      LockId holder = LockId.random(new SecureRandom());
      backend.acquire(KEY, holder, TTL, Cancellation.none());
      Semaphore wakeUps = new Semaphore(0);
      try (WaitingLine.Place place = backend
          .waitingLine()
          .orElseThrow()
          .join(KEY, LockId.random(new SecureRandom()), wakeUps::release)) {
        PostgresDatabase.await(() -> {
          assertThat(place.attempt(TTL, Cancellation.none()))
              .isInstanceOf(AcquireResult.Contended.class);
          return database.number(
                  "SELECT count(*) FROM syncguard_locks_waiters WHERE channel IS NOT NULL")
              > 0;
        });
        wakeUps.drainPermits();
        backend.release(holder, Cancellation.none());
        assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }
}
