package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/** PostgreSQL's own locks: they write nothing, have neither ttl nor fence, and keep a connection each. */
public final class AdvisoryLock extends PooledLock {

  AdvisoryLock(HikariDataSource pool) {
    super(pool);
  }

  public AdvisoryLock(String url) {
    this(Pools.open(url, 1));
  }

  @Override
  public void underLock(String key, Runnable work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      run(connection, "SELECT 1 FROM (SELECT pg_advisory_lock(hashtext(?))) AS taken", key);
      try {
        work.run();
      } finally {
        run(connection, "SELECT pg_advisory_unlock(hashtext(?))::int", key);
      }
    }
  }
}
