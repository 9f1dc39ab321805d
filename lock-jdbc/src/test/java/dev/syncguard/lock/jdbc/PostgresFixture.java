package dev.syncguard.lock.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables that are empty at the beginning of each test. The clock is a table, too, so that all who use the database agree
 * on the time.
 */
final class PostgresFixture
    implements LockFixture.SettableClock,
        LockFixture.Cleaning,
        LockFixture.Inspectable,
        LockFixture.Restartable,
        LockFixture.Breakable {

  private static final long START_MS = 1_900_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Map<PostgresBinaries, Database> DATABASES =
      new EnumMap<>(PostgresBinaries.class);

  private final Database database;
  private final ManualTime time = ManualTime.stopped();

  /** What all tests on a server share: connecting and creating tables takes longer than most of them. */
  private record Database(PostgresServer server, HikariDataSource pool) {
    static Database create(PostgresBinaries binaries) {
      PostgresServer server = PostgresServer.shared(binaries);
      HikariConfig config = new HikariConfig();
      config.setDataSource(server.source());
      config.setMaximumPoolSize(40);
      config.setMinimumIdle(0);
      config.setConnectionTimeout(2_000);
      Database database = new Database(server, new HikariDataSource(config));
      server.execute("CREATE SCHEMA contracts");
      server.execute("CREATE TABLE contracts.clock (ms bigint NOT NULL)");
      server.execute("INSERT INTO contracts.clock VALUES (" + START_MS + ")");
      try (PostgresLockBackend backend = database.builder().build()) {
        backend.setupSchema();
      }
      return database;
    }

    PostgresLockBackend.Builder builder() {
      return PostgresLockBackend.builder(pool)
          .schema("contracts")
          .timeout(TIMEOUT)
          .clock("(SELECT ms FROM contracts.clock)");
    }
  }

  PostgresFixture(PostgresBinaries binaries) {
    synchronized (DATABASES) {
      database = DATABASES.computeIfAbsent(binaries, Database::create);
    }
  }

  @Override
  public LockBackend open() {
    return database.builder().build();
  }

  @Override
  public LockBackend openCleaning(Duration interval) {
    return cleaning(interval).build();
  }

  @Override
  public LockBackend openCleaning(Duration interval, Executor executor) {
    return cleaning(interval).cleanupExecutor(executor).build();
  }

  private PostgresLockBackend.Builder cleaning(Duration interval) {
    return database.builder().time(time).cleanupInIsLocked(true).cleanupInterval(interval);
  }

  @Override
  public void pass(Duration duration) {
    database.server.execute("UPDATE contracts.clock SET ms = ms + " + duration.toMillis());
    time.advance(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    database.server.execute(
        ("INSERT INTO contracts.syncguard_fence_counters (fence_key, fence) VALUES ('fence:%s', %d)"
                + " ON CONFLICT (fence_key) DO UPDATE SET fence = excluded.fence")
            .formatted(key.value(), handedOut));
  }

  @Override
  public boolean isStored(LockKey key) {
    return database.server.number(
            "SELECT count(*) FROM contracts.syncguard_locks WHERE key = '" + key.value() + "'")
        > 0;
  }

  /** With the transactions that wrote the rows, so that even an update without effect would show. */
  @Override
  public String content() {
    return Stream.of("syncguard_locks", "syncguard_fence_counters", "syncguard_locks_waiters")
        .map(table -> database
            .server
            .text("SELECT coalesce(string_agg(t.xmin || ' ' || t.ctid || ' '"
                + " || t, chr(10) ORDER BY t.ctid), '') FROM contracts." + table + " AS t")
            .orElseThrow())
        .collect(Collectors.joining("\n\n"));
  }

  @Override
  public Set<String> secrets() {
    return Set.of(PostgresServer.PASSWORD);
  }

  @Override
  public void restart() {
    breakDown();
    repair();
  }

  @Override
  public void breakDown() {
    database.server.kill();
  }

  @Override
  public void repair() {
    database.server.start();
  }

  @Override
  public void close() {
    database.server.execute(
        "TRUNCATE contracts.syncguard_locks, contracts.syncguard_fence_counters,"
            + " contracts.syncguard_locks_waiters");
  }
}
