package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.spi.Liveness;

/** The statements of the PostgreSQL backend, one for each operation. What they call is in {@code postgres-schema.sql}. */
final class PostgresSql {

  final String acquire;
  final String release;
  final String extend;
  final String leave;
  final String forget;
  final String isLocked;
  final String lookupByKey;
  final String lookupById;
  final String live;
  final String highestFence;
  final String sweep;

  PostgresSql(PostgresNames names, String now) {
    acquire =
        "SELECT the_fence, ends_at_ms, look_again_ms, kept_ticket, now_ms, is_first, held_fence FROM "
            + names.function("acquire") + "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    release = "SELECT " + names.function("release") + "(?, ?, ?)";
    extend = "SELECT outcome, ends_at_ms FROM " + names.function("extend") + "(?, ?, ?)";
    leave = "SELECT " + names.function("leave") + "(?, ?, ?)";
    forget = "SELECT " + names.function("forget") + "(?)";

    // The clock is read once, and not by the planner.
    String lookup =
        "SELECT l.user_key, l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms, c.now_ms FROM "
            + names.locksTable() + " AS l CROSS JOIN (SELECT " + now
            + " AS now_ms OFFSET 0) AS c WHERE " + Liveness.inSql("l.expires_at_ms", "c.now_ms");
    lookupByKey = lookup + " AND l.key = ?";
    lookupById = lookup + " AND l.lock_id = ?";
    live = lookup + " ORDER BY l.expires_at_ms LIMIT ?";
    isLocked = "SELECT 1 FROM " + names.locksTable() + " AS l WHERE l.key = ? AND "
        + Liveness.inSql("l.expires_at_ms", now);

    highestFence = "SELECT coalesce(max(fence), 0) FROM " + names.fencesTable();
    sweep =
        "DELETE FROM " + names.waitersTable() + " WHERE seen_at_ms < " + now + " - ? RETURNING 1";
  }
}
