package dev.syncguard.lock.springboot.shedlock;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lease as ShedLock calls it. Thread-safe. */
final class LeaseSimpleLock extends AbstractSimpleLock {

  private static final System.Logger log = System.getLogger(LeaseSimpleLock.class.getName());

  private final Lease lease;
  private final Time time;
  private final long since;

  LeaseSimpleLock(LockConfiguration configuration, Lease lease, Time time) {
    super(configuration);
    this.lease = lease;
    this.time = time;
    this.since = time.nanos();
  }

  @Override
  protected void doUnlock() {
    Duration rest = lockConfiguration.getLockAtLeastFor().minusNanos(time.nanos() - since);
    try {
      if (!lease.releaseAfter(rest)) {
        log.log(
            System.Logger.Level.WARNING,
            () -> "A job took longer than its lockAtMostFor: it may have run twice [key "
                + lease.key().hash() + "]");
      }
    } catch (LockException e) {
      // The job has done its work; what it returned is not to be replaced by this.
      log.log(
          System.Logger.Level.WARNING,
          () -> "A lock could not be released; it is tried again in the background: " + e);
    }
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration changed) {
    return lease.extend(changed.getLockAtMostFor())
        ? Optional.of(new LeaseSimpleLock(changed, lease, time))
        : Optional.empty();
  }
}
