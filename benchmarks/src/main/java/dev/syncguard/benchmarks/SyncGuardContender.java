package dev.syncguard.benchmarks;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;

/** SyncGuard among others who wait, on any backend. */
public final class SyncGuardContender implements KeyedLock {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final LockBackend backend;
  private final Locks locks;

  private SyncGuardContender(LockBackend backend, Locks locks) {
    this.backend = backend;
    this.locks = locks;
  }

  /** Takes over an open backend, and waits as the backend does it best. */
  public static SyncGuardContender over(LockBackend backend) {
    return new SyncGuardContender(backend, Locks.over(backend));
  }

  /** Takes over an open backend, and waits by asking again and again. */
  public static SyncGuardContender polling(LockBackend backend) {
    return new SyncGuardContender(backend, Locks.builder(backend).pollingOnly().build());
  }

  @Override
  public void underLock(String key, Runnable work) {
    try (Lease lease = locks.lock(key).waitUpTo(PATIENCE).acquire()) {
      work.run();
    }
  }

  @Override
  public void underLock(Runnable work) {
    underLock(CONTESTED, work);
  }

  @Override
  public void close() {
    locks.close();
    backend.close();
  }
}
