package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/** Two bare statements, which protect nothing: no lock that does the same twice can be faster. */
final class BareRoundTrips extends PooledLock {

  private final String sql;
  private final boolean writes;

  private BareRoundTrips(HikariDataSource pool, String sql, boolean writes) {
    super(pool);
    this.sql = sql;
    this.writes = writes;
  }

  /** Returns the round trips alone. */
  static BareRoundTrips select(HikariDataSource pool) {
    return new BareRoundTrips(pool, "SELECT 1", false);
  }

  /** Returns round trips that each wait for the disk. */
  static BareRoundTrips durableUpdate(HikariDataSource pool) {
    return new BareRoundTrips(pool, "UPDATE bare SET value = value + 1 WHERE key = ?", true);
  }

  @Override
  public void underLock(String key, Runnable work) throws SQLException {
    once(key);
    work.run();
    once(key);
  }

  private void once(String key) throws SQLException {
    if ((writes ? run(sql, key) : run(sql)) != 1) {
      throw new IllegalStateException("There was no row");
    }
  }
}
