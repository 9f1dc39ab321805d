package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FailoverRun;
import dev.syncguard.torture.proxy.FaultProxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real failovers under load, and plants of what must be found. What they cost is in {@code docs/operating/failover.md}. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PostgresFailoverIT {

  /** What lets a server be rewound later on. */
  private static final String[] REWINDABLE = {"wal_log_hints=on", "wal_keep_size=128MB"};

  private static String url(PostgresServer... servers) {
    String hosts = "";
    for (PostgresServer server : servers) {
      hosts += (hosts.isEmpty() ? "" : ",") + "127.0.0.1:" + server.port();
    }
    return "postgresql://" + PostgresServer.USER + ":" + PostgresServer.PASSWORD + "@" + hosts
        + "/postgres";
  }

  static void setUp(PostgresServer server) {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(server.url())) {
      backend.setupSchema();
    }
  }

  static LockBackend open(PostgresServer... servers) {
    return PostgresLockBackend.builder(url(servers))
        .timeout(Duration.ofSeconds(2))
        .build();
  }

  /** The standby exists before its primary waits for it. */
  private static void waitForStandby(PostgresServer primary) {
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    PostgresDatabase.await(() ->
        primary.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1);
  }

  @Test
  void aSynchronousStandbyIsPromotedWithoutALossAndTheOldPrimaryReturns() {
    try (PostgresServer primary = PostgresServer.start(PostgresBinaries.SYSTEM, REWINDABLE)) {
      setUp(primary);
      try (PostgresServer standby = PostgresServer.standbyOf(primary, primary.port(), REWINDABLE)) {
        waitForStandby(primary);
        FailoverRun run = FailoverRun.of(() -> open(primary, standby), () -> {
          primary.kill();
          standby.promote();
        });
        assertOnlyReleasesAreForgotten(run);

        FailoverRun back = FailoverRun.of(() -> open(primary, standby), () -> {
          // A server that crashed has to recover before it can be rewound.
          primary.start();
          primary.stop();
          primary.rewindTo(standby);
        });
        // Until it is rewound it answers questions, about what was before; but it grants nothing.
        assertThat(back.violationsBesidesAnswersOfAnOldPrimary())
            .as(back.toString())
            .isEmpty();
        assertThat(back.grantsAfterwards()).as(back.toString()).isPositive();
        assertThat(primary.text("SELECT pg_is_in_recovery()")).contains("t");
      }
    }
  }

  /**
   * Releases do not wait for the standby, so the last ones may be forgotten: then such a lease is there again, and ends by itself.
   * Nothing else may be lost, and no release that a grant followed, because a grant brings all before it to the standby.
   */
  private static void assertOnlyReleasesAreForgotten(FailoverRun run) {
    assertThat(run.violationsBesidesForgottenReleases()).as(run.toString()).isEmpty();
    assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
  }

  @Test
  void aPrimaryThatDoesNotKnowOfItsSuccessorGrantsNothing() {
    try (PostgresServer primary = PostgresServer.start(PostgresBinaries.SYSTEM)) {
      setUp(primary);
      try (PostgresServer standby = PostgresServer.standbyOf(primary, primary.port());
          LockBackend old = open(primary);
          LockBackend current = open(standby)) {
        waitForStandby(primary);
        LockKey key = LockKey.of("report");
        assertThat(acquire(old, LockKey.of("warm-up"))).isTrue();
        standby.promote();
        assertThat(acquire(current, key)).isTrue();
        for (int i = 0; i < 3; i++) {
          assertThat(acquire(old, key)).as("a grant of the old primary").isFalse();
        }
      }
    }
  }

  private static boolean acquire(LockBackend backend, LockKey key) {
    try {
      AcquireResult result = backend.acquire(
          key, LockId.random(new SecureRandom()), Ttl.ofMillis(60_000), Cancellation.none());
      return result instanceof AcquireResult.Acquired;
    } catch (LockException e) {
      assertThat(e.isRetryable()).as(e.toString()).isTrue();
      return false;
    }
  }

  @Test
  void anAsynchronousStandbyThatIsPromotedIsFound() throws Exception {
    try (PostgresServer primary = PostgresServer.start(PostgresBinaries.SYSTEM);
        FaultProxy link = FaultProxy.to("127.0.0.1", primary.port())) {
      setUp(primary);
      try (PostgresServer standby = PostgresServer.standbyOf(primary, link.port())) {
        PostgresDatabase.await(
            () -> primary.number("SELECT count(*) FROM pg_stat_replication") == 1);
        FailoverRun run = FailoverRun.watched(() -> open(primary, standby), load -> {
          // It lags for a moment, as every standby does now and then; somebody gets a lock in it.
          link.fallSilent();
          load.awaitGrant();
          primary.kill();
          link.close();
          standby.promote();
        });
        assertThat(run.fenceViolations()).as(run.toString()).isNotEmpty();
      }
    }
  }

  @Test
  void aPoolerThatRestartsLosesNothing() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase()) {
      database.open().close();
      try (Pgbouncer pooler = Pgbouncer.start(database, "transaction")) {
        FailoverRun run =
            FailoverRun.of(() -> PostgresLockBackend.connect(pooler.url()), pooler::restart);
        assertThat(run.violations()).as(run.toString()).isEmpty();
        assertThat(run.grantsAfterwards()).as(run.toString()).isPositive();
      }
    }
  }
}
