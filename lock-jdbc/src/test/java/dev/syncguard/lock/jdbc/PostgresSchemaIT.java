package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.jdbc.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Setting up, by whoever may, and working with no more rights than needed. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresSchemaIT {

  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);

  private final PostgresDatabase database = new PostgresDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  private static LockId newId() {
    return LockId.random(new SecureRandom());
  }

  private static void assertWorks(LockBackend backend) {
    LockId id = newId();
    assertThat(backend.acquire(KEY, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(backend.isLocked(KEY, NEVER)).isTrue();
    assertThat(backend.extend(id, TTL, NEVER)).isInstanceOf(ExtendResult.Extended.class);
    LockId heir = newId();
    try (var place = backend.waitingLine().orElseThrow().join(KEY, heir, () -> {})) {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(place.takeOver(id, TTL)).isInstanceOf(AcquireResult.Acquired.class);
    }
    assertThat(backend.release(heir, NEVER)).isInstanceOf(ReleaseResult.Released.class);
  }

  @Test
  void whoeverWaitsTooLongToSetUpIsToldThat() throws Exception {
    try (Connection other = database.source().getConnection();
        PostgresLockBackend backend = PostgresLockBackend.builder(database.source())
            .timeout(Duration.ofMillis(500))
            .build()) {
      PostgresDatabase.execute(other, "SELECT pg_advisory_lock(7308898237891)");
      LockException refusal = refusal(backend::setupSchema);
      assertThat(refusal.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
    }
  }

  @Test
  void withoutATableEveryoneIsToldWhatToDo() {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url())) {
      assertThat(refusal(backend::verifySchema).getMessage())
          .contains("no table syncguard_locks", "no function", "setupSchema");
      LockException refusal = refusal(() -> backend.acquire(KEY, newId(), TTL, NEVER));
      assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
      assertThat(refusal.getMessage()).contains("setupSchema");
      assertThat(backend.storeCheck().orElseThrow().examine(NEVER)).anySatisfy(finding -> {
        assertThat(finding.severity()).isEqualTo(StoreCheck.Severity.FAILURE);
        assertThat(finding.subject()).isEqualTo("schema");
      });
    }
  }

  @Test
  void manyProcessesMaySetUpAtTheSameTime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Callable<Boolean>> setUps = IntStream.range(0, 16)
          .<Callable<Boolean>>mapToObj(i -> () -> {
            try (PostgresLockBackend backend = PostgresLockBackend.over(database.source())) {
              backend.setupSchema();
              backend.verifySchema();
              return true;
            }
          })
          .toList();
      for (Future<Boolean> done : threads.invokeAll(setUps)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    try (LockBackend backend = database.open()) {
      assertWorks(backend);
    }
  }

  @Test
  void aDbaMayRunWhatIsPrinted() {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url())) {
      database.execute(backend.printSchema());
      backend.verifySchema();
      database.execute(backend.printSchema());
      assertWorks(backend);
    }
  }

  @Test
  void theTablesOfTheTypeScriptLibraryAreUsedAsTheyAre() {
    database.execute(
        "CREATE TABLE syncguard_locks (key text PRIMARY KEY, lock_id text NOT NULL,"
            + " expires_at_ms bigint NOT NULL, acquired_at_ms bigint NOT NULL, fence text NOT NULL, user_key text NOT NULL,"
            + " expires_at_ts timestamptz GENERATED ALWAYS AS (to_timestamp(expires_at_ms / 1000.0)) STORED);"
            + " CREATE UNIQUE INDEX idx_syncguard_locks_lock_id ON syncguard_locks (lock_id);"
            + " CREATE TABLE syncguard_fence_counters (fence_key text PRIMARY KEY, fence bigint NOT NULL DEFAULT 0,"
            + " key_debug text); INSERT INTO syncguard_fence_counters VALUES ('fence:report', 41, 'report')");
    try (PostgresLockBackend backend = database.open()) {
      assertWorks(backend);
      LockId id = newId();
      assertThat(((AcquireResult.Acquired) backend.acquire(KEY, id, TTL, NEVER))
              .fence()
              .text())
          .isEqualTo("000000000000044");
      assertThat(database.number(
              "SELECT count(*) FROM syncguard_locks WHERE key = 'report' AND user_key = 'report'"
                  + " AND fence = '000000000000044' AND lock_id = '" + id.value()
                  + "' AND expires_at_ms - acquired_at_ms = " + TTL.millis()))
          .isEqualTo(1);
    }
  }

  @Test
  void whoeverOverwritesALeaseWithoutKnowingOfNotesDoesNotInheritOne() {
    try (PostgresLockBackend backend = database.open()) {
      backend.acquire(KEY, newId(), TTL, LockNote.of("our word"), NEVER);
      assertThat(noteOf(backend)).contains(LockNote.of("our word"));
      // What the TypeScript library does with the row of a lease that ran out.
      database.execute("UPDATE syncguard_locks SET lock_id = '" + newId().value() + "'");
      assertThat(noteOf(backend)).isEmpty();
      database.execute("DELETE FROM syncguard_locks");
      LockId id = newId();
      backend.acquire(KEY, id, TTL, NEVER);
      assertThat(noteOf(backend)).isEmpty();
      backend.release(id, NEVER);
      assertThat(database.number("SELECT count(*) FROM syncguard_locks_notes")).isZero();
    }
  }

  private static Optional<LockNote> noteOf(PostgresLockBackend backend) {
    return backend.lookup(new LockQuery.ByKey(KEY), NEVER).orElseThrow().note();
  }

  @Test
  void aDatabaseThatOnlyTheTypeScriptLibraryKnowsCanBeLookedAt() {
    try (PostgresLockBackend backend = database.open()) {
      backend.acquire(KEY, newId(), TTL, LockNote.of("our word"), NEVER);
    }
    database.execute("DROP TABLE syncguard_locks_waiters, syncguard_locks_notes");
    try (PostgresLockBackend backend = PostgresLockBackend.connect(database.url())) {
      assertThat(backend.lookup(new LockQuery.ByKey(KEY), NEVER)).hasValueSatisfying(found -> {
        assertThat(found.note()).isEmpty();
        assertThat(found.waiting()).isEmpty();
      });
      assertThat(backend.listing().orElseThrow().live(10, NEVER)).hasSize(1);
      backend.setupSchema();
      assertThat(backend.lookup(new LockQuery.ByKey(KEY), NEVER).orElseThrow().waiting())
          .hasValue(0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE syncguard_locks DROP COLUMN user_key",
        "ALTER TABLE syncguard_fence_counters ALTER COLUMN fence TYPE text",
        "DROP TABLE syncguard_locks_waiters",
        "DROP TABLE syncguard_locks_notes",
        "DROP INDEX idx_syncguard_locks_lock_id",
        "DROP FUNCTION syncguard_locks_v4_forget",
        "CREATE OR REPLACE FUNCTION syncguard_locks_v4_forget(the_key text) RETURNS void LANGUAGE sql AS ''"
      })
  void whatIsMissingOrDifferentIsNoticed(String damage) {
    try (PostgresLockBackend backend = database.open()) {
      backend.verifySchema();
      database.execute(damage);
      assertThat(refusal(backend::verifySchema).code())
          .isEqualTo(LockException.Code.INVALID_ARGUMENT);
    }
  }

  @Test
  void twoSetsOfTablesDoNotKnowEachOther() {
    database.execute("CREATE SCHEMA \"Other\"");
    try (PostgresLockBackend one = database.open();
        PostgresLockBackend two =
            PostgresLockBackend.builder(database.url()).schema("Other").build();
        PostgresLockBackend three = PostgresLockBackend.builder(database.url())
            .tables("MyLocks", "select")
            .build()) {
      two.setupSchema();
      three.setupSchema();
      for (PostgresLockBackend each : List.of(one, two, three)) {
        each.verifySchema();
        assertWorks(each);
        assertThat(each.acquire(KEY, newId(), TTL, NEVER))
            .isInstanceOf(AcquireResult.Acquired.class);
      }
    }
  }

  private PGSimpleDataSource as(String role) {
    PGSimpleDataSource source = database.source();
    source.setUser(role);
    source.setPassword("its-password");
    return source;
  }

  @Test
  void aRoleWithNoMoreThanTheListedRightsCanLock() {
    String role = database.name() + "_locker";
    try (PostgresLockBackend owner = database.open()) {
      database.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'its-password'");
      owner
          .printSchema()
          .lines()
          .filter(line -> line.startsWith("-- GRANT"))
          .forEach(grant -> database.execute(grant.substring(3).replace("...", role)));
    }
    try (PostgresLockBackend backend = PostgresLockBackend.over(as(role))) {
      backend.setupSchema();
      backend.verifySchema();
      assertWorks(backend);
      assertThat(backend.storeCheck().orElseThrow().examine(NEVER))
          .filteredOn(finding -> finding.subject().equals("rights"))
          .extracting(StoreCheck.Finding::severity)
          .containsExactly(StoreCheck.Severity.GOOD);
    }
    database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
  }

  @Test
  void aRoleThatMayOnlyReadCanLookButNotLock() {
    String role = database.name() + "_reader";
    LockId id = newId();
    try (PostgresLockBackend owner = database.open()) {
      owner.acquire(KEY, id, TTL, LockNote.of("not for everybody"), NEVER);
      database.execute("CREATE ROLE " + role
          + " LOGIN PASSWORD 'its-password'; GRANT SELECT ON syncguard_locks TO " + role);
    }
    try (PostgresLockBackend backend =
        PostgresLockBackend.builder(as(role)).cleanupInIsLocked(true).build()) {
      assertThat(backend.isLocked(KEY, NEVER)).isTrue();
      assertThat(backend.isLocked(LockKey.of("other"), NEVER)).isFalse();
      assertThat(backend.lookup(new LockQuery.ByKey(KEY), NEVER)).isPresent();
      assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isPresent();
      assertThat(backend.listing().orElseThrow().live(10, NEVER))
          .singleElement()
          .satisfies(listed -> assertThat(listed.note()).isEmpty());
      database.execute("GRANT SELECT ON syncguard_locks_waiters, syncguard_locks_notes TO " + role);
      assertThat(noteOf(backend)).contains(LockNote.of("not for everybody"));
      for (Runnable call : List.<Runnable>of(
          () -> backend.acquire(LockKey.of("other"), newId(), TTL, NEVER),
          () -> backend.extend(id, TTL, NEVER),
          () -> backend.release(id, NEVER))) {
        assertThat(refusal(call).code()).isEqualTo(LockException.Code.AUTH_FAILED);
      }
      assertThatCode(backend::verifySchema).doesNotThrowAnyException();
      assertThat(backend.storeCheck().orElseThrow().examine(NEVER))
          .filteredOn(finding -> finding.severity() != StoreCheck.Severity.GOOD)
          .filteredOn(finding -> !finding.subject().equals("durability"))
          .singleElement()
          .satisfies(finding -> assertThat(finding.message())
              .contains("INSERT on \"syncguard_locks\"")
              .doesNotContain("SELECT on \"syncguard_locks\""));
    }
    database.execute("DROP OWNED BY " + role + "; DROP ROLE " + role);
  }
}
