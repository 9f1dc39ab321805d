package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.KeyedLock;
import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.lock.redis.RedisLockBackend;

/** SyncGuard on Redis, as one process or one client among several. */
public final class RedisContender implements KeyedLock {

  private final SyncGuardContender contender;

  public RedisContender(String url) {
    contender = SyncGuardContender.over(RedisLockBackend.connect(url));
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
