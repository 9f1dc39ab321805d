package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;

/** A file of its own for each test. Its clock is a table in it, so that all who open the file agree on the time. */
final class SqliteFixture
    implements LockFixture.SettableClock,
        LockFixture.Cleaning,
        LockFixture.Inspectable,
        LockFixture.Restartable {

  private static final String CLOCK = "(SELECT now_ms FROM clock)";
  private static final long START_MS = 1_900_000_000_000L;

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private volatile Path file = directory.path().resolve("locks.db");
  private final ManualTime time = ManualTime.stopped();

  SqliteFixture() {
    SqliteLockBackend.open(file).close();
    RawSqlite.execute(file, "CREATE TABLE clock (now_ms INTEGER NOT NULL)");
    RawSqlite.execute(file, "INSERT INTO clock VALUES (" + START_MS + ")");
  }

  Path file() {
    return file;
  }

  /** Opens the file of a fixture in another process. */
  static SqliteLockBackend openWithSettableClock(String file) {
    return SqliteLockBackend.builder(Path.of(file)).clock(CLOCK).build();
  }

  @Override
  public SqliteLockBackend open() {
    return SqliteLockBackend.builder(file).clock(CLOCK).build();
  }

  @Override
  public LockBackend openCleaning(Duration interval) {
    return cleaning(interval).build();
  }

  @Override
  public LockBackend openCleaning(Duration interval, Executor executor) {
    return cleaning(interval).cleanupExecutor(executor).build();
  }

  private SqliteLockBackend.Builder cleaning(Duration interval) {
    return SqliteLockBackend.builder(file)
        .clock(CLOCK)
        .time(time)
        .cleanupInIsLocked(true)
        .cleanupInterval(interval);
  }

  @Override
  public void pass(Duration duration) {
    RawSqlite.execute(file, "UPDATE clock SET now_ms = now_ms + " + duration.toMillis());
    time.advance(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    // The table refuses such numbers, as it should; a damaged file may hold them all the same.
    RawSqlite.execute(
        file,
        "PRAGMA ignore_check_constraints = ON; INSERT INTO locks VALUES ('%s', NULL, %d, 0, 0, NULL)"
            .formatted(key.value(), handedOut));
  }

  @Override
  public boolean isStored(LockKey key) {
    return RawSqlite.number(
            file, "SELECT count(*) FROM locks WHERE key = ? AND lock_id IS NOT NULL", key.value())
        > 0;
  }

  @Override
  public String content() {
    return RawSqlite.text(
            file,
            "SELECT group_concat(line, x'0a') FROM (SELECT key || ' ' || quote(lock_id) || ' ' ||"
                + " fence || ' ' || acquired_at_ms || ' ' || expires_at_ms AS line FROM locks"
                + " ORDER BY key)")
        + RawSqlite.text(file, "SELECT count(*) FROM waiters");
  }

  /** What a crash leaves is the file and its log, as they are at that moment and without what only memory knows. */
  @Override
  public void restart() {
    Path crashed = file;
    Path left = Path.of(crashed + ".after-crash");
    try {
      Files.copy(crashed, left);
      Files.copy(Path.of(crashed + "-wal"), Path.of(left + "-wal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    file = left;
  }

  @Override
  public void close() {
    directory.close();
  }
}
