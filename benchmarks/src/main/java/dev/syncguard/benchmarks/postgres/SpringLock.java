package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The lock registry of Spring Integration over JDBC: without a fence, and whoever waits asks again and again. */
public final class SpringLock extends PooledLock {

  private final DefaultLockRepository repository;
  private final JdbcLockRegistry registry;

  SpringLock(HikariDataSource pool) {
    super(pool);
    repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new DataSourceTransactionManager(pool));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    repository.start();
    registry = new JdbcLockRegistry(repository, Duration.ofSeconds(30));
  }

  public SpringLock(String url) {
    this(Pools.open(url, 2));
  }

  @Override
  public void underLock(String key, Runnable work) {
    Lock lock = registry.obtain(key);
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    if (!pool.isClosed()) {
      repository.close();
    }
    super.close();
  }
}
