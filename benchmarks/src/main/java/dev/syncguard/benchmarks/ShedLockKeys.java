package dev.syncguard.benchmarks;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Locks of ShedLock, on whatever store its provider has. They know no waiting: a key must be free. */
public abstract class ShedLockKeys implements KeyedLock {

  private final LockProvider provider;

  protected ShedLockKeys(LockProvider provider) {
    this.provider = provider;
  }

  @Override
  public final void underLock(String key, Runnable work) {
    SimpleLock lock = provider
        .lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO))
        .orElseThrow();
    work.run();
    lock.unlock();
  }
}
