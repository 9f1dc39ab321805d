package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The least that a lock with a fence, an owner and a ttl needs: an upsert and an UPDATE of one row, both durable.
 *
 * <p>It does not wait and cannot be looked up by owner.
 */
final class HandWrittenLock extends PooledLock {

  private static final String ACQUIRE = """
      INSERT INTO floor AS f VALUES (?, ?, 1, clock_timestamp() + interval '30 s')
      ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = f.fence + 1, until = excluded.until
      WHERE f.owner IS NULL OR f.until < clock_timestamp()
      RETURNING fence""";
  private static final String RELEASE = "UPDATE floor SET owner = NULL WHERE key = ? AND owner = ?";

  HandWrittenLock(HikariDataSource pool) {
    super(pool);
  }

  @Override
  public void underLock(String key, Runnable work) throws SQLException {
    String owner = UUID.randomUUID().toString();
    if (run(ACQUIRE, key, owner) == 0) {
      throw new IllegalStateException("A free key was refused");
    }
    work.run();
    if (run(RELEASE, key, owner) == 0) {
      throw new IllegalStateException("A lock was gone before it was released");
    }
  }
}
