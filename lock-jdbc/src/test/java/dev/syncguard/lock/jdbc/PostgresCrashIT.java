package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server is killed under load, again and again, with a default that may forget what it has confirmed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PostgresCrashIT {

  private static final int ROUNDS = 20;
  private static final int GRANTS_BEFORE_THE_CRASH = 30;
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(5_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final SecureRandom random = new SecureRandom();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile LockId tried = LockId.random(random);
  private volatile LockId granted = tried;

  @Test
  void noFenceIsRepeatedAfterACrash() throws Exception {
    try (PostgresServer server = PostgresServer.start(
        PostgresBinaries.V18, "fsync=off", "synchronous_commit=off", "wal_writer_delay=10s")) {
      try (PostgresLockBackend patient = PostgresLockBackend.over(server.source())) {
        patient.setupSchema();
        for (int round = 0; round < ROUNDS; round++) {
          try (PostgresLockBackend hasty = PostgresLockBackend.builder(server.url())
              .timeout(Duration.ofMillis(300))
              .build()) {
            crashUnderLoad(server, hasty);
          }
          server.start();
          assertThat(nextFence(patient))
              .as("the first fence after crash %d", round)
              .isGreaterThan(acknowledged.get());
        }
      }
    }
  }

  private void crashUnderLoad(PostgresServer server, PostgresLockBackend backend) throws Exception {
    CountDownLatch warm = new CountDownLatch(GRANTS_BEFORE_THE_CRASH);
    AtomicBoolean crashed = new AtomicBoolean();
    AtomicReference<LockException> failure = new AtomicReference<>();
    Thread load = new Thread(() -> {
      while (!crashed.get()) {
        try {
          acknowledged.accumulateAndGet(nextFence(backend), Math::max);
          warm.countDown();
        } catch (LockException e) {
          // The crash, or a machine that is too slow for somebody hasty.
          if (!e.isRetryable()) {
            failure.set(e);
            return;
          }
        }
      }
    });
    load.start();
    assertThat(warm.await(1, TimeUnit.MINUTES)).isTrue();
    server.kill();
    crashed.set(true);
    load.join();
    assertThat(failure.get()).isNull();
  }

  /**
   * Takes the key for a moment.
   *
   * <p>A crash may undo a release, which need not be on disk. The lock then goes by its id, so that nobody has to wait for the
   * end of its ttl.
   */
  private long nextFence(PostgresLockBackend backend) {
    while (true) {
      backend.release(tried, NEVER);
      backend.release(granted, NEVER);
      LockId id = LockId.random(random);
      tried = id;
      if (backend.acquire(KEY, id, TTL, NEVER) instanceof AcquireResult.Acquired grant) {
        granted = id;
        backend.release(id, NEVER);
        return grant.fence().value();
      }
    }
  }
}
