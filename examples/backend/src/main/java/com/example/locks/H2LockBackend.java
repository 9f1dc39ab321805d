package com.example.locks;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Locks in an H2 database that lives in this process, so this process's clock decides when they end. Thread-safe.
 *
 * <p>There is one row for each key. It stays when a lock has ended, because the next fence must be higher. Whoever changes a
 * row holds its row lock while they look, so that what they saw is still true when they write.
 */
public final class H2LockBackend implements LockBackend {

  private static final String SCHEMA = """
      create table if not exists locks (
        name varchar(512) primary key,
        lock_id varchar(22) unique,
        fence bigint not null,
        acquired_at_ms bigint not null,
        expires_at_ms bigint not null)""";

  private final Transactions transactions;
  private final Time time;

  /** One row: the present or the last holder of a key. */
  private record Row(String key, String id, long fence, long acquiredAtMs, long expiresAtMs) {

    boolean isLive(long now) {
      return id != null && Liveness.isLive(expiresAtMs, now);
    }

    LockInfoDebug describe(long now) {
      return new LockInfoDebug(
          LockKey.of(key),
          LockId.parse(id),
          new Fence(fence),
          Instant.ofEpochMilli(acquiredAtMs),
          Instant.ofEpochMilli(expiresAtMs),
          Instant.ofEpochMilli(now));
    }
  }

  public H2LockBackend(DataSource database, Time time) {
    this.transactions = new Transactions(database);
    this.time = time;
    transactions.run(connection -> connection.prepareStatement(SCHEMA).execute());
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return transactions.run(connection -> {
      Optional<Row> row = find(connection, "name", key.value(), "for update");
      long now = nowMs();
      if (row.isPresent() && row.get().isLive(now)) {
        // Our own id: an earlier request got through, and its answer was lost.
        return row.get().id().equals(id.value())
            ? AcquireResult.Acquired.at(now, new Fence(row.get().fence()), row.get().expiresAtMs())
            : new AcquireResult.Contended();
      }
      long last = row.map(Row::fence).orElse(0L);
      Fence fence = FenceWarning.check(new Fence(last + 1), key);
      String sql = row.isPresent()
          ? "update locks set lock_id = ?, fence = ?, acquired_at_ms = ?, expires_at_ms = ? where name = ?"
          : "insert into locks (lock_id, fence, acquired_at_ms, expires_at_ms, name) values (?, ?, ?, ?, ?)";
      long expiresAtMs = now + ttl.millis();
      update(connection, sql, id.value(), fence.value(), now, expiresAtMs, key.value());
      return AcquireResult.Acquired.at(now, fence, expiresAtMs);
    });
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return transactions.run(connection -> {
      Optional<Row> row = find(connection, "lock_id", id.value(), "for update");
      if (row.isEmpty() || !row.get().isLive(nowMs())) {
        return new ReleaseResult.Absent(absence(row));
      }
      update(connection, "update locks set lock_id = null where lock_id = ?", id.value());
      return new ReleaseResult.Released();
    });
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return transactions.run(connection -> {
      Optional<Row> row = find(connection, "lock_id", id.value(), "for update");
      long now = nowMs();
      if (row.isEmpty() || !row.get().isLive(now)) {
        return new ExtendResult.Absent(absence(row));
      }
      long expiresAtMs = now + ttl.millis();
      update(connection, "update locks set expires_at_ms = ? where lock_id = ?", expiresAtMs, id.value());
      return new ExtendResult.Extended(Instant.ofEpochMilli(expiresAtMs));
    });
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return lookupRaw(new LockQuery.ByKey(key), cancellation).isPresent();
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return transactions.run(connection -> {
      Optional<Row> row = query instanceof LockQuery.ById byId
          ? find(connection, "lock_id", byId.id().value(), "")
          : find(connection, "name", ((LockQuery.ByKey) query).key().value(), "");
      long now = nowMs();
      return row.filter(found -> found.isLive(now)).map(live -> live.describe(now));
    });
  }

  private static Optional<Row> find(Connection connection, String column, String value, String lock)
      throws SQLException {
    String sql = "select name, lock_id, fence, acquired_at_ms, expires_at_ms from locks where " + column + " = ? " + lock;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, value);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Row(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4), row.getLong(5)))
            : Optional.empty();
      }
    }
  }

  private static void update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  private static Absence absence(Optional<Row> row) {
    return row.isPresent() ? Absence.EXPIRED : Absence.NOT_FOUND;
  }

  private long nowMs() {
    return time.now().toEpochMilli();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities("h2", true, Capabilities.TimeAuthority.CLIENT);
  }

  /** The database belongs to whoever made it. */
  @Override
  public void close() {}
}
