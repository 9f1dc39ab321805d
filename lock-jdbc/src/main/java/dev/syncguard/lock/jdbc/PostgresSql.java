package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.spi.Liveness;

/** The statements of the PostgreSQL backend, one for each operation. What they call is in {@code postgres-schema.sql}. */
final class PostgresSql {

  final String acquire;
  final String acquireNoted;
  final String release;
  final String extend;
  final String leave;
  final String forget;
  final String isLocked;
  final Looks bare;
  final Looks complete;
  final String maySeeAll;
  final String highestFence;
  final String sweep;

  PostgresSql(PostgresNames names, String now) {
    String answer =
        "the_fence, ends_at_ms, look_again_ms, kept_ticket, now_ms, is_first, held_fence";
    String grant = " FROM " + names.function("acquire") + "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    acquire = "SELECT " + answer + grant;
    acquireNoted = "SELECT " + answer + ", CASE WHEN the_fence IS NOT NULL THEN "
        + names.function("annotate") + "(?, ?, ?) END" + grant;
    release = "SELECT " + names.function("release") + "(?, ?, ?)";
    extend = "SELECT outcome, ends_at_ms FROM " + names.function("extend") + "(?, ?, ?)";
    leave = "SELECT " + names.function("leave") + "(?, ?, ?)";
    forget = "SELECT " + names.function("forget") + "(?)";

    // The clock is read once, and not by the planner.
    String from = " FROM " + names.locksTable() + " AS l CROSS JOIN (SELECT " + now
        + " AS now_ms OFFSET 0) AS c";
    String live = " WHERE " + Liveness.inSql("l.expires_at_ms", "c.now_ms");
    String lock =
        "SELECT l.user_key, l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms, c.now_ms";
    bare = new Looks(lock + ", NULL, NULL" + from + live);
    // Whoever lost the answer stands in line twice, and counts once.
    complete = new Looks(lock + ", n.note, (SELECT count(DISTINCT w.lock_id) FROM "
        + names.waitersTable() + " AS w WHERE w.key = l.key AND w.seen_at_ms > c.now_ms - "
        + NotificationListener.GONE_AFTER_MS + ")" + from + " LEFT JOIN "
        + names.notesTable() + " AS n ON n.key = l.key AND n.lock_id = l.lock_id" + live);
    maySeeAll = "SELECT coalesce(bool_and(has_table_privilege(to_regclass(t), 'SELECT')), false)"
        + " AND count(to_regclass(t)) = 2 FROM unnest(ARRAY['" + names.waitersTable() + "', '"
        + names.notesTable() + "']) AS t";
    isLocked = "SELECT 1 FROM " + names.locksTable() + " AS l WHERE l.key = ? AND "
        + Liveness.inSql("l.expires_at_ms", now);

    highestFence = "SELECT coalesce(max(fence), 0) FROM " + names.fencesTable();
    sweep =
        "DELETE FROM " + names.waitersTable() + " WHERE seen_at_ms < " + now + " - ? RETURNING 1";
  }

  /** The questions about live locks. */
  static final class Looks {
    final String byKey;
    final String byId;
    final String all;

    private Looks(String live) {
      byKey = live + " AND l.key = ?";
      byId = live + " AND l.lock_id = ?";
      all = live + " ORDER BY l.expires_at_ms LIMIT ?";
    }
  }
}
