package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock over JDBC with the clock of the database: without a fence and without waiting. */
final class ShedLock extends PooledLock {

  private final LockProvider provider;

  ShedLock(HikariDataSource pool) {
    super(pool);
    provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
        .withJdbcTemplate(new JdbcTemplate(pool))
        .usingDbTime()
        .build());
  }

  @Override
  public void underLock(String key, Runnable work) {
    SimpleLock lock = provider
        .lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO))
        .orElseThrow();
    work.run();
    lock.unlock();
  }
}
