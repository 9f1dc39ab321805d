package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.GrowthBenchmark;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Databases with many keys that are held, and as many that are free.
 *
 * <p>To take and release a million keys would take minutes, so they are written as a backend leaves them.
 */
final class GrownPostgres {

  private final Topic.Setting setting;
  private final PostgresServer server;

  GrownPostgres(Topic.Setting setting, PostgresServer server) {
    this.setting = setting;
    this.server = server;
  }

  Section measure() throws Exception {
    return new GrowthBenchmark(
            setting,
            "Growth",
            "So many locks are held and so many more fences are remembered, in a database of their own;"
                + " pairs take keys chosen at random from the latter.",
            "locks")
        .measure((name, size) -> {
          String database = "growth_" + size;
          server.execute("CREATE DATABASE " + database);
          PostgresLockBackend backend = PostgresLockBackend.connect(server.url(database));
          backend.setupSchema();
          try (var pool = Pools.open(server.url(database), 1)) {
            fill(pool, size);
          }
          return new SyncGuardPairs(name, backend, thread -> GrowthBenchmark.randomKeys(size));
        });
  }

  private static void fill(DataSource database, int size) throws SQLException {
    String numbers = " FROM generate_series(0, " + (size - 1) + ") AS i";
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
              + " SELECT format('held-%s', lpad(i::text, 7, '0')), lpad(i::text, 22, '0'), 9000000000000, 0,"
              + " '000000000000001', format('held-%s', lpad(i::text, 7, '0'))" + numbers);
      for (String kind : new String[] {"held", "key"}) {
        statement.execute("INSERT INTO syncguard_fence_counters (fence_key, fence)"
            + " SELECT format('fence:" + kind + "-%s', lpad(i::text, 7, '0')), 1" + numbers);
      }
      // Otherwise the server would do it at a moment of its own choice.
      statement.execute("VACUUM ANALYZE");
    }
  }
}
