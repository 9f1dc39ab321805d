package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of the TypeScript library, who know no line and ask again and again, beside ours. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PostgresNeighboursIT {

  private static final int GRANTS = 600;
  private static final long WORK_MS = 2;
  private static final long POLL_MS = 5;

  private final AtomicInteger ours = new AtomicInteger();
  private final AtomicInteger theirs = new AtomicInteger();

  private boolean isOver() {
    return ours.get() + theirs.get() >= GRANTS;
  }

  @Test
  void eagerPollersDoNotStarveThoseInLineNorAreTheyStarved() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase();
        PostgresLockBackend one = database.open();
        PostgresLockBackend other = PostgresLockBackend.connect(database.url());
        Locks here = Locks.over(one);
        Locks there = Locks.over(other)) {
      List<Thread> threads = new ArrayList<>();
      for (Locks locks : List.of(here, there)) {
        threads.add(new Thread(() -> standInLine(locks)));
      }
      for (int i = 0; i < 2; i++) {
        threads.add(new Thread(() -> poll(database)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.out.println("Beside eager pollers: " + ours + " grants in line, " + theirs + " polled");
    // Half of those who want the key stand in line.
    assertThat(ours.get()).as("grants to those in line, of " + GRANTS).isGreaterThan(GRANTS / 8);
    assertThat(theirs.get()).as("grants to pollers, of " + GRANTS).isGreaterThan(GRANTS / 8);
  }

  private void standInLine(Locks locks) {
    try {
      while (!isOver()) {
        try (Lease lease = locks.lock("report").waitUpTo(Duration.ofMinutes(1)).acquire()) {
          ours.incrementAndGet();
          TimeUnit.MILLISECONDS.sleep(WORK_MS);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void poll(PostgresDatabase database) {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      while (!isOver()) {
        String id = UUID.randomUUID().toString().replace("-", "").substring(0, 22);
        if (acquire(connection, id)) {
          theirs.incrementAndGet();
          TimeUnit.MILLISECONDS.sleep(WORK_MS);
          release(connection, id);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
      }
    } catch (SQLException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The statements of the TypeScript library's acquire, one after the other. */
  private static boolean acquire(Connection connection, String id) throws SQLException {
    run(connection, "SELECT pg_advisory_xact_lock(hashtext('report'))");
    long now = run(connection, "SELECT floor(extract(epoch FROM now()) * 1000)::bigint");
    long ends = run(connection, "SELECT expires_at_ms FROM syncguard_locks WHERE key = 'report'");
    if (ends > now - 1000) {
      connection.rollback();
      return false;
    }
    run(
        connection,
        "INSERT INTO syncguard_fence_counters (fence_key, fence) VALUES ('fence:report', 0)"
            + " ON CONFLICT DO NOTHING");
    long fence = run(
        connection,
        "UPDATE syncguard_fence_counters SET fence = fence + 1 WHERE fence_key = 'fence:report'"
            + " RETURNING fence");
    run(connection, """
        INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
        VALUES ('report', '%s', %d, %d, '%015d', 'report')
        ON CONFLICT (key) DO UPDATE SET lock_id = excluded.lock_id, expires_at_ms = excluded.expires_at_ms,
          acquired_at_ms = excluded.acquired_at_ms, fence = excluded.fence""".formatted(id, now + 30_000, now, fence));
    connection.commit();
    return true;
  }

  private static void release(Connection connection, String id) throws SQLException {
    run(connection, "SELECT floor(extract(epoch FROM now()) * 1000)::bigint");
    run(connection, "SELECT 1 FROM syncguard_locks WHERE lock_id = '" + id + "' FOR UPDATE");
    run(connection, "DELETE FROM syncguard_locks WHERE key = 'report'");
    connection.commit();
  }

  /** Returns the first number that the statement answers with, or 0. */
  private static long run(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (!statement.execute()) {
        return 0;
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() && rows.getObject(1) instanceof Number number ? number.longValue() : 0;
      }
    }
  }
}
