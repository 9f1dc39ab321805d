package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;

/** SyncGuard in a contest for one key, on any backend. */
public final class SyncGuardContender implements Contender {

  private final LockBackend backend;
  private final Locks locks;
  private final LockRequest request;

  private SyncGuardContender(LockBackend backend, Locks locks) {
    this.backend = backend;
    this.locks = locks;
    this.request = locks.lock("contested").waitUpTo(Duration.ofMinutes(1));
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
  public void underLock(Runnable work) {
    try (Lease lease = request.acquire()) {
      work.run();
    }
  }

  @Override
  public void close() {
    locks.close();
    backend.close();
  }
}
