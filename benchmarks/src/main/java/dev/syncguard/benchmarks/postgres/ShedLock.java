package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.ShedLockKeys;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock over JDBC with the clock of the database: without a fence and without waiting. */
final class ShedLock extends ShedLockKeys {

  private final HikariDataSource pool;

  ShedLock(HikariDataSource pool) {
    super(new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
        .withJdbcTemplate(new JdbcTemplate(pool))
        .usingDbTime()
        .build()));
    this.pool = pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
