package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holders that were away for too long, and holders that do not know what time it is. */
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

  @ParameterizedTest
  @ValueSource(ints = {-60, 60})
  void aClockOfTheClientThatIsAnHourOffChangesNothing(int minutes) {
    try (Locks right = Locks.over(backend);
        Locks wrong = Locks.builder(backend)
            .time(new Shifted(Duration.ofMinutes(minutes)))
            .build()) {
      try (Lease lease = wrong.lock("report").ttl(Duration.ofMinutes(1)).acquire()) {
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(right.lock("report").tryAcquire()).isEmpty();
        assertThat(lease.extend(Duration.ofMinutes(2))).isTrue();
        assertThat(wrong.isLocked("report")).isTrue();
      }
      try (Lease lease = right.lock("report").ttl(Duration.ofMinutes(1)).acquire()) {
        assertThat(wrong.lock("report").tryAcquire()).isEmpty();
        assertThat(wrong.getByKey("report").orElseThrow().remaining())
            .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(lease.fence().value()).isEqualTo(2);
      }
    }
  }

  private record Shifted(Duration by) implements Time {
    @Override
    public Instant now() {
      return Time.system().now().plus(by);
    }

    @Override
    public long nanos() {
      return Time.system().nanos();
    }

    @Override
    public Signal newSignal() {
      return Time.system().newSignal();
    }
  }
}
