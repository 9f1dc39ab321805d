package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.spi.Liveness;

/**
 * The statements of the SQLite backend, one for each operation.
 *
 * <p>Each reads the clock itself, which SQLite does once per statement and after it has obtained the write lock: a
 * lease that had to wait for another process begins when the wait is over.
 *
 * <p>{@code ?1} is the key and {@code ?2} the lock id wherever a statement has both.
 */
final class SqliteSql {

  /** Milliseconds since 1970, by the machine's clock. */
  static final String SYSTEM_CLOCK = "CAST(unixepoch('subsec') * 1000 + 0.5 AS INTEGER)";

  /** How many stand before us in the line for the key: all of them if we do not stand there. */
  private static final String AHEAD =
      "(SELECT count(*) FROM waiters WHERE key = ?1 AND ticket < coalesce("
          + "(SELECT ticket FROM waiters WHERE key = ?1 AND lock_id = ?2), " + Long.MAX_VALUE
          + "))";

  final String acquire;
  final String takeOver;
  final String release;
  final String extend;
  final String isLocked;
  final String lookupByKey;
  final String lookupById;
  final String live;
  final String forget;
  final String look;

  /** Enters the line unless we stand there already; whoever has a ticket goes back to where it stood. */
  final String join;

  final String firstInLine =
      "SELECT lock_id, socket, token FROM waiters WHERE key = ?1 ORDER BY ticket, lock_id LIMIT 1";

  final String socketsInUse = "SELECT DISTINCT socket FROM waiters WHERE socket IS NOT NULL";

  final String leave = "DELETE FROM waiters WHERE key = ?1 AND lock_id = ?2 RETURNING ticket";

  SqliteSql(String now) {
    String live = Liveness.inSql("expires_at_ms", now);
    String ours = "lock_id = ?2 AND " + live;

    acquire =
        """
        INSERT INTO locks (key, lock_id, fence, acquired_at_ms, expires_at_ms, note)
        VALUES (?1, ?2, 1, @now, @now + ?3, ?4)
        ON CONFLICT (key) DO UPDATE SET
          lock_id = ?2,
          fence = iif(@ours, fence, fence + 1),
          acquired_at_ms = iif(@ours, acquired_at_ms, excluded.acquired_at_ms),
          expires_at_ms = iif(@ours, expires_at_ms, excluded.expires_at_ms),
          note = iif(@ours, note, ?4)
        WHERE @ours OR @free
        RETURNING fence, expires_at_ms, @now""".replace("@ours", "(" + ours + ")").replace("@free", free(now)).replace("@now", now);

    takeOver = """
        UPDATE locks SET
          lock_id = ?2,
          fence = iif(lock_id = ?2, fence, fence + 1),
          acquired_at_ms = iif(lock_id = ?2, acquired_at_ms, @now),
          expires_at_ms = iif(lock_id = ?2, expires_at_ms, @now + ?3),
          note = iif(lock_id = ?2, note, ?5)
        WHERE key = ?1 AND lock_id IN (?2, ?4) AND @live
        RETURNING fence, expires_at_ms, @now""".replace("@live", live).replace("@now", now);

    // A released row ends early enough not to be live within the tolerance either, which also says
    // since when the key is free. An expired row stays as it is and tells so.
    release = """
        UPDATE locks SET
          lock_id = iif(@live, NULL, lock_id),
          note = iif(@live, NULL, note),
          expires_at_ms = iif(@live, @now - @tolerance, expires_at_ms)
        WHERE lock_id = ?1
        RETURNING lock_id IS NULL, key, EXISTS (SELECT 1 FROM waiters WHERE waiters.key = locks.key)""".replace("@tolerance", Long.toString(Liveness.TIME_TOLERANCE_MS))
        .replace("@live", live)
        .replace("@now", now);

    extend = """
        UPDATE locks SET expires_at_ms = iif(@live, @now + ?2, expires_at_ms)
        WHERE lock_id = ?1
        RETURNING @live, expires_at_ms""".replace("@live", live).replace("@now", now);

    isLocked = "SELECT 1 FROM locks WHERE key = ?1 AND lock_id IS NOT NULL AND " + live;

    String lookup = "SELECT key, lock_id, fence, acquired_at_ms, expires_at_ms, " + now + ", note,"
        + " (SELECT count(*) FROM waiters WHERE waiters.key = locks.key) FROM locks ";
    lookupByKey = lookup + "WHERE key = ?1 AND lock_id IS NOT NULL AND " + live;
    lookupById = lookup + "WHERE lock_id = ?1 AND " + live;
    this.live = lookup + "INDEXED BY locks_by_id WHERE lock_id IS NOT NULL AND " + live
        + " ORDER BY expires_at_ms LIMIT ?1";

    forget =
        "UPDATE locks SET lock_id = NULL, note = NULL WHERE key = ?1 AND lock_id IS NOT NULL AND "
            + Liveness.cleanableInSql("expires_at_ms", now) + " RETURNING 1";

    join = """
        INSERT INTO waiters (key, ticket, lock_id, socket, token)
        SELECT ?1, coalesce(?3, max(@now * 1000, coalesce((SELECT max(ticket) FROM waiters WHERE key = ?1), 0) + 1)), ?2, ?4, ?5
        WHERE NOT EXISTS (SELECT 1 FROM waiters WHERE key = ?1 AND lock_id = ?2)
        RETURNING ticket""".replace("@now", now);

    // Somebody who was passed over no longer stands in line, and should try in order to be back.
    look = "SELECT " + free(now)
        + " OR NOT EXISTS (SELECT 1 FROM waiters WHERE key = ?1 AND lock_id = ?2),"
        + " lock_id IS NULL OR NOT " + live + ", " + AHEAD + ", expires_at_ms + "
        + (Liveness.TIME_TOLERANCE_MS + 1) + " + " + SqliteSchema.TURN_MS + " * " + AHEAD + " - "
        + now + " FROM locks WHERE key = ?1";
  }

  /**
   * Whether the key is free for us. Each one who stands before us has a turn of its own first: to us, the lock looks
   * live for that much longer. A row that was released and still looks live was released in the future; the clock has
   * been set back, and turns cannot be measured until it has caught up.
   */
  private static String free(String now) {
    String released =
        "lock_id IS NULL AND (" + AHEAD + " = 0 OR " + Liveness.inSql("expires_at_ms", now) + ")";
    String delayed = "(" + now + " - " + SqliteSchema.TURN_MS + " * " + AHEAD + ")";
    return "(" + released + " OR NOT " + Liveness.inSql("expires_at_ms", delayed) + ")";
  }
}
