package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.jdbc.PostgresSession.Absent;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.StorageKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The two ways to get a lease: by taking a key that is free, and from the one who has it. Threads may share it. */
final class PostgresGrants {

  /** How keys are named in the tables: as they are, since none is too long. */
  static final StorageKeys NAMES = new StorageKeys("", 1700, 0);

  private final PostgresStore store;
  private final PostgresSql sql;
  private final PostgresPollers pollers = new PostgresPollers();

  PostgresGrants(PostgresStore store, PostgresSql sql) {
    this.store = store;
    this.sql = sql;
  }

  /**
   * How a waiter stands in line.
   *
   * @param channel where its process listens, or null if it cannot
   * @param token what its process is told when it is called
   * @param ticket since when it stands there, or null if it does not yet
   */
  record Standing(
      @Nullable String channel, long token, @Nullable Long ticket) {}

  /**
   * The answer to an attempt.
   *
   * @param result what the caller gets to know
   * @param lookAgainMs when the next attempt is worth while, if this one was refused
   * @param ticket since when we stand in line, if we do
   */
  record Answer(
      AcquireResult result, long lookAgainMs, @Nullable Long ticket) {}

  AcquireResult acquire(LockKey key, LockId id, Ttl ttl) {
    AcquireResult result = ask(key, id, ttl, null, pollers.contain(id)).result();
    pollers.note(id, result);
    return result;
  }

  Answer attempt(LockKey key, LockId id, Ttl ttl, Standing standing) {
    return ask(key, id, ttl, standing, false);
  }

  private Answer ask(LockKey key, LockId id, Ttl ttl, @Nullable Standing standing, boolean polls) {
    String lock = NAMES.lock(key);
    try {
      return store
          .ask(
              sql.acquire,
              row -> answer(row, key),
              lock,
              NAMES.fence(lock),
              key.value(),
              id.value(),
              ttl.millis(),
              store.lockPatienceMillis(),
              standing == null || standing.channel == null ? Absent.TEXT : standing.channel,
              standing == null ? Absent.NUMBER : standing.token,
              standing == null || standing.ticket == null ? Absent.NUMBER : standing.ticket,
              polls)
          .get(0);
    } catch (LockException e) {
      throw e.about(key);
    }
  }

  /** Ends one lease and begins another. Part of giving back the first, so no interrupt comes between. */
  AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
    String lock = NAMES.lock(key);
    try {
      return store
          .insist(
              sql.takeOver,
              row -> result(row, key),
              lock,
              NAMES.fence(lock),
              key.value(),
              from.value(),
              to.value(),
              ttl.millis(),
              store.lockPatienceMillis())
          .get(0);
    } catch (LockException e) {
      throw e.about(key);
    }
  }

  private static Answer answer(ResultSet row, LockKey key) throws SQLException {
    AcquireResult result = result(row, key);
    long lookAgainMs = row.getLong(3);
    long ticket = row.getLong(4);
    return new Answer(result, lookAgainMs, row.wasNull() ? null : ticket);
  }

  private static AcquireResult result(ResultSet row, LockKey key) throws SQLException {
    String fence = row.getString(1);
    return fence == null
        ? new AcquireResult.Contended()
        : new AcquireResult.Acquired(
            FenceWarning.check(Fence.parse(fence), key), Instant.ofEpochMilli(row.getLong(2)));
  }
}
