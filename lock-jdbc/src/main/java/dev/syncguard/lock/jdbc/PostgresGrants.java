package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.jdbc.PostgresSession.Absent;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.StorageKeys;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The two ways to get a lease: by taking a key that is free, and from the one who has it. Thread-safe. */
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
   * @param isFirst whether nobody stands before us
   * @param heldFence the fence of whoever holds the key, if somebody does
   */
  record Answer(
      AcquireResult result,
      long lookAgainMs,
      @Nullable Long ticket,
      boolean isFirst,
      @Nullable String heldFence) {}

  /** A statement and what it is given. */
  private record Call(String sql, List<Object> arguments) {}

  AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, Cancellation cancellation) {
    Call call = call(key, id, ttl, null, null, pollers.contain(id), note);
    AcquireResult result = answered(
            key,
            () -> store.query(
                cancellation, call.sql, row -> answer(row, key), call.arguments.toArray()))
        .result();
    pollers.note(id, result);
    return result;
  }

  Answer attempt(
      LockKey key,
      LockId id,
      Ttl ttl,
      Standing standing,
      Optional<LockNote> note,
      Cancellation cancellation) {
    Call call = call(key, id, ttl, null, standing, false, note);
    return answered(
        key,
        () ->
            store.query(cancellation, call.sql, row -> answer(row, key), call.arguments.toArray()));
  }

  /** Ends one lease and begins another. Part of giving back the first, so no interrupt comes between. */
  AcquireResult takeOver(
      LockKey key,
      LockId from,
      LockId to,
      Ttl ttl,
      Optional<LockNote> note,
      Cancellation cancellation) {
    Call call = call(key, to, ttl, from, null, false, note);
    return answered(
            key,
            () -> store.queryUninterruptibly(
                cancellation, call.sql, row -> answer(row, key), call.arguments.toArray()))
        .result();
  }

  private Call call(
      LockKey key,
      LockId id,
      Ttl ttl,
      @Nullable LockId from,
      @Nullable Standing standing,
      boolean polls,
      Optional<LockNote> note) {
    String lock = NAMES.lock(key);
    List<Object> arguments = new ArrayList<>();
    note.ifPresent(words -> arguments.addAll(List.of(lock, id.value(), words.text())));
    arguments.addAll(List.of(
        lock,
        NAMES.fence(lock),
        key.value(),
        id.value(),
        ttl.millis(),
        store.lockPatienceMillis(),
        from == null ? Absent.TEXT : from.value(),
        standing == null || standing.channel == null ? Absent.TEXT : standing.channel,
        standing == null ? Absent.NUMBER : standing.token,
        standing == null || standing.ticket == null ? Absent.NUMBER : standing.ticket,
        polls));
    return new Call(note.isPresent() ? sql.acquireNoted : sql.acquire, arguments);
  }

  private static Answer answered(LockKey key, Supplier<List<Answer>> asking) {
    try {
      return asking.get().get(0);
    } catch (LockException e) {
      throw e.about(key);
    }
  }

  private static Answer answer(ResultSet row, LockKey key) throws SQLException {
    String fence = row.getString(1);
    if (fence != null) {
      Fence checked = FenceWarning.check(Fence.parse(fence), key);
      return new Answer(
          AcquireResult.Acquired.at(row.getLong(5), checked, row.getLong(2)), 0, null, false, null);
    }
    long lookAgainMs = row.getLong(3);
    long number = row.getLong(4);
    Long ticket = row.wasNull() ? null : number;
    return new Answer(
        new AcquireResult.Contended(), lookAgainMs, ticket, row.getBoolean(6), row.getString(7));
  }
}
