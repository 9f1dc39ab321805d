package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Looks at live locks. A role that may read the locks alone, and one in a database that only the TypeScript library has set
 * up, is told neither notes nor how many wait. Thread-safe.
 */
final class PostgresLooks implements LockListing {

  private final PostgresStore store;
  private final PostgresSql sql;
  private volatile boolean seesAll;

  PostgresLooks(PostgresStore store, PostgresSql sql) {
    this.store = store;
    this.sql = sql;
  }

  Optional<LockInfoDebug> lookup(LockQuery query, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    PostgresSql.Looks looks = looks(cancellation);
    List<LockInfoDebug> found = query instanceof LockQuery.ByKey byKey
        ? store.query(
            cancellation, looks.byKey, PostgresLooks::info, PostgresGrants.NAMES.lock(byKey.key()))
        : store.query(
            cancellation,
            looks.byId,
            PostgresLooks::info,
            ((LockQuery.ById) query).id().value());
    return found.stream().findFirst();
  }

  @Override
  public List<LockInfoDebug> liveRaw(int limit, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return store.query(cancellation, looks(cancellation).all, PostgresLooks::info, (long) limit);
  }

  /** Asks what we may see until it is all: rights and tables come, but hardly ever go. */
  private PostgresSql.Looks looks(Cancellation cancellation) {
    if (!seesAll) {
      seesAll =
          store.query(cancellation, sql.maySeeAll, row -> row.getBoolean(1)).get(0);
    }
    return seesAll ? sql.complete : sql.bare;
  }

  private static LockInfoDebug info(ResultSet row) throws SQLException {
    try {
      int waiting = row.getInt(8);
      return new LockInfoDebug(
          LockKey.of(row.getString(1)),
          LockId.parse(row.getString(2)),
          Fence.parse(row.getString(3)),
          Instant.ofEpochMilli(row.getLong(4)),
          Instant.ofEpochMilli(row.getLong(5)),
          Instant.ofEpochMilli(row.getLong(6)),
          LockNote.stored(row.getString(7)),
          row.getObject(8) == null ? OptionalInt.empty() : OptionalInt.of(waiting));
    } catch (LockException e) {
      throw new LockException(
          LockException.Code.INTERNAL,
          "The lock table holds a row that no SyncGuard library has written");
    }
  }
}
