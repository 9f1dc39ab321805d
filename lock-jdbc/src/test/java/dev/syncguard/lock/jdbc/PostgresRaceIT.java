package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions that come between: those of the TypeScript library, played statement by statement, and those that hold what
 * we need.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresRaceIT {

  private static final LockKey KEY = LockKey.of("report");
  private static final Cancellation NEVER = Cancellation.none();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Ttl LONG = Ttl.ofMillis(600_000);
  private static final String ADVISORY = "SELECT pg_advisory_xact_lock(hashtext('report'))";

  private PostgresDatabase database;
  private LockBackend backend;
  private Connection other;

  @BeforeEach
  void open() throws Exception {
    database = new PostgresDatabase();
    database.execute(
        "CREATE TABLE clock (ms bigint NOT NULL); INSERT INTO clock VALUES (1900000000000)");
    PostgresLockBackend opened = PostgresLockBackend.builder(database.url())
        .clock("(SELECT ms FROM clock)")
        .timeout(Duration.ofMinutes(2))
        .build();
    opened.setupSchema();
    backend = opened;
    other = database.source().getConnection();
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws Exception {
    other.close();
    backend.close();
    database.close();
  }

  private static LockId newId() {
    return LockId.random(RANDOM);
  }

  private void play(String sql) throws Exception {
    PostgresDatabase.execute(other, sql);
  }

  private void pass(long millis) {
    database.execute("UPDATE clock SET ms = ms + " + millis);
  }

  /** Our call, which the other session keeps waiting until it commits. */
  private <T> CompletableFuture<T> blocked(Supplier<T> call) {
    CompletableFuture<T> answer =
        CompletableFuture.supplyAsync(call, work -> new Thread(work).start());
    database.awaitBlockedSession();
    assertThat(answer).isNotDone();
    return answer;
  }

  @Test
  void anExtensionThatCommitsWhileWeAcquireKeepsItsLease() throws Exception {
    LockId theirs = newId();
    backend.acquire(KEY, theirs, Ttl.ofMillis(1_000), NEVER);
    play("SELECT * FROM syncguard_locks WHERE lock_id = '" + theirs.value() + "' FOR UPDATE");
    pass(5_000);
    CompletableFuture<AcquireResult> ours =
        blocked(() -> backend.acquire(KEY, newId(), LONG, NEVER));
    play("UPDATE syncguard_locks SET expires_at_ms = 1900000060000 WHERE key = 'report'");
    other.commit();
    assertThat(ours.get()).isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.lookup(new LockQuery.ById(theirs), NEVER)).isPresent();
  }

  @Test
  void whoeverIsRefusedBecauseOfThatUsedUpNoFence() throws Exception {
    anExtensionThatCommitsWhileWeAcquireKeepsItsLease();
    assertThat(database.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(1);
  }

  private void playAcquire(LockId theirs) throws Exception {
    play("UPDATE syncguard_fence_counters SET fence = fence + 1");
    play("INSERT INTO syncguard_locks VALUES ('report', '" + theirs.value()
        + "', 1900000060000, 1900000000000, '000000000000002', 'report') ON CONFLICT (key) DO UPDATE SET lock_id ="
        + " excluded.lock_id, expires_at_ms = excluded.expires_at_ms, fence = excluded.fence");
    other.commit();
  }

  @Test
  void anAcquireThatCommitsWhileWeExtendTakesTheLease() throws Exception {
    LockId ours = newId();
    LockId theirs = newId();
    backend.acquire(KEY, ours, LONG, NEVER);
    play(ADVISORY);
    CompletableFuture<ExtendResult> extension = blocked(() -> backend.extend(ours, LONG, NEVER));
    playAcquire(theirs);
    assertThat(extension.get()).isInstanceOf(ExtendResult.Absent.class);
    assertThat(backend.lookup(new LockQuery.ById(theirs), NEVER)).isPresent();
  }

  @Test
  void anAcquireThatCommitsWhileWeReleaseKeepsItsLease() throws Exception {
    LockId ours = newId();
    LockId theirs = newId();
    backend.acquire(KEY, ours, LONG, NEVER);
    play(ADVISORY);
    CompletableFuture<ReleaseResult> release = blocked(() -> backend.release(ours, NEVER));
    playAcquire(theirs);
    assertThat(release.get()).isInstanceOf(ReleaseResult.Absent.class);
    assertThat(backend.lookup(new LockQuery.ById(theirs), NEVER)).isPresent();
  }

  @Test
  void aReleaseThatCommitsWhileWeTakeOverLeavesNothingToTake() throws Exception {
    LockId old = newId();
    backend.acquire(KEY, old, LONG, NEVER);
    play("DELETE FROM syncguard_locks WHERE lock_id = '" + old.value() + "'");
    LockId heir = newId();
    try (var place = backend.waitingLine().orElseThrow().join(KEY, heir, () -> {})) {
      CompletableFuture<AcquireResult> ours = blocked(() -> place.takeOver(old, LONG));
      other.commit();
      assertThat(ours.get()).isInstanceOf(AcquireResult.Contended.class);
    }
    assertThat(backend.isLocked(KEY, NEVER)).isFalse();
    assertThat(database.number("SELECT fence FROM syncguard_fence_counters")).isEqualTo(1);
  }

  /** The advisory lock, the row of a dead lease, or the counter of fences. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ADVISORY,
        "SELECT * FROM syncguard_locks FOR UPDATE",
        "SELECT * FROM syncguard_fence_counters FOR UPDATE"
      })
  void aLeaseBeginsWhenTheWaitForAnotherSessionIsOver(String held) throws Exception {
    backend.acquire(KEY, newId(), Ttl.ofMillis(1), NEVER);
    pass(5_000);
    play(held);
    CompletableFuture<AcquireResult> ours =
        blocked(() -> backend.acquire(KEY, newId(), Ttl.ofMillis(1_000), NEVER));
    pass(2_500);
    other.commit();
    AcquireResult result = ours.get();
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(((AcquireResult.Acquired) result).expiresAt().toEpochMilli())
        .isEqualTo(1_900_000_000_000L + 5_000 + 2_500 + 1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {ADVISORY, "SELECT * FROM syncguard_locks FOR UPDATE"})
  void anExtensionBeginsWhenTheWaitForAnotherSessionIsOver(String held) throws Exception {
    LockId ours = newId();
    backend.acquire(KEY, ours, Ttl.ofMillis(60_000), NEVER);
    play(held);
    CompletableFuture<ExtendResult> extension =
        blocked(() -> backend.extend(ours, Ttl.ofMillis(1_000), NEVER));
    pass(2_500);
    other.commit();
    assertThat(extension.get())
        .isEqualTo(new ExtendResult.Extended(Instant.ofEpochMilli(1_900_000_003_500L)));
  }

  @Test
  void whoeverWaitsTooLongForAnotherSessionIsToldSoAndGetsNothing() throws Exception {
    try (PostgresLockBackend hasty = PostgresLockBackend.builder(database.url())
        .clock("(SELECT ms FROM clock)")
        .timeout(Duration.ofSeconds(1))
        .build()) {
      play(ADVISORY);
      LockException refusal =
          catchThrowableOfType(LockException.class, () -> hasty.acquire(KEY, newId(), LONG, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
      other.rollback();
      assertThat(hasty.isLocked(KEY, NEVER)).isFalse();
      assertThat(hasty.acquire(KEY, newId(), LONG, NEVER))
          .isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void aRefusedAttemptWritesNothing() {
    backend.acquire(KEY, newId(), LONG, NEVER);
    backend.acquire(KEY, newId(), LONG, NEVER);
    long transactions = database.number("SELECT txid_snapshot_xmax(txid_current_snapshot())");
    for (int i = 0; i < 20; i++) {
      assertThat(backend.acquire(KEY, newId(), LONG, NEVER))
          .isInstanceOf(AcquireResult.Contended.class);
    }
    // Whoever writes needs a transaction number; readers do without.
    assertThat(database.number("SELECT txid_snapshot_xmax(txid_current_snapshot())"))
        .isEqualTo(transactions);
  }
}
