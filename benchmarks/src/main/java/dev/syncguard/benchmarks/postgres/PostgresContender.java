package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.KeyedLock;
import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.lock.jdbc.PostgresLockBackend;

/** SyncGuard on PostgreSQL, as one process or one client among several. */
public final class PostgresContender implements KeyedLock {

  private final SyncGuardContender contender;

  public PostgresContender(String url) {
    contender = SyncGuardContender.over(PostgresLockBackend.connect(url));
  }

  @Override
  public void underLock(String key, Runnable work) {
    contender.underLock(key, work);
  }

  @Override
  public void close() {
    contender.close();
  }
}
