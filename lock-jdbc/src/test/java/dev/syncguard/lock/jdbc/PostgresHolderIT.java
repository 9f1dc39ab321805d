package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.ChildJvm;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holders that were away for too long. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresHolderIT {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl LONG = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final PostgresDatabase database = new PostgresDatabase();
  private PostgresLockBackend backend;

  @BeforeEach
  void open() {
    backend = database.open();
  }

  @AfterEach
  void close() {
    backend.close();
    database.close();
  }

  @Test
  void aProcessThatWasStoppedBeyondItsTtlHasLostItsLeaseAndDisturbsNobody() {
    try (ChildJvm holder = ChildJvm.run(PostgresHolder.class, database.url(), KEY.value())) {
      // On a slow machine its first lease may have ended before it knew of it.
      long fence = Long.parseLong(holder.nextLine().replace("fence ", ""));
      holder.signal("STOP");
      LockId next = LockId.random(new SecureRandom());
      PostgresDatabase.await(
          () -> backend.acquire(KEY, next, LONG, NEVER) instanceof AcquireResult.Acquired);
      holder.signal("CONT");
      holder.tell();
      assertThat(holder.rest()).containsExactly("held false", "extended false", "released false");
      assertThat(holder.exitCode()).isZero();
      assertThat(backend
              .lookup(new LockQuery.ById(next), NEVER)
              .orElseThrow()
              .fence()
              .value())
          .isEqualTo(fence + 1);
      assertThat(backend.release(next, NEVER)).isInstanceOf(ReleaseResult.Released.class);
    }
  }
}
