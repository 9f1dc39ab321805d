package dev.syncguard.lock.springboot.shedlock;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A lock provider for ShedLock, 6 and 7, so that {@code @SchedulerLock} methods run under leases. {@code lockAtMostFor} is
 * their ttl, {@code lockAtLeastFor} is kept even if the application ends earlier. Thread-safe.
 */
public final class SyncGuardLockProvider implements ExtensibleLockProvider {

  private final Locks locks;
  private final String keyPrefix;
  private final Time time;

  /** Creates a provider. All that share the locks share the prefix of their keys. */
  public SyncGuardLockProvider(Locks locks, String keyPrefix) {
    this(locks, keyPrefix, Time.system());
  }

  /** As {@link #SyncGuardLockProvider(Locks, String)}, on a clock of a test. */
  public SyncGuardLockProvider(Locks locks, String keyPrefix, Time time) {
    this.locks = locks;
    this.keyPrefix = keyPrefix;
    this.time = time;
  }

  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    return locks
        .lock(keyPrefix + configuration.getName())
        .ttl(configuration.getLockAtMostFor())
        .lockAtLeastFor(configuration.getLockAtLeastFor())
        .tryAcquire()
        .map(lease -> new LeaseSimpleLock(configuration, lease, time));
  }
}
