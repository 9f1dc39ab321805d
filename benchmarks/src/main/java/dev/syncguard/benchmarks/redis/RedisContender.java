package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.lock.redis.RedisLockBackend;

/** SyncGuard on Redis, in a contest for one key. */
public final class RedisContender implements Contender {

  private final SyncGuardContender contender;

  public RedisContender(String url) {
    contender = SyncGuardContender.over(RedisLockBackend.connect(url));
  }

  @Override
  public void underLock(Runnable work) {
    contender.underLock(work);
  }

  @Override
  public void close() {
    contender.close();
  }
}
