package dev.syncguard.lock.lease;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How the store learns that a lease has ended: at once, later, or in the background until it has answered. Thread-safe.
 */
public final class LeaseEnding {

  private static final System.Logger log = System.getLogger(LeaseEnding.class.getName());

  private final LeaseLifecycle lease;
  private final LeaseServices services;

  public LeaseEnding(LeaseLifecycle lease, LeaseServices services) {
    this.lease = lease;
    this.services = services;
  }

  /**
   * Tells the store once that the lease has ended, and returns whether it was still there.
   *
   * <p>A release that fails is thrown and repeated in the background. So is one that succeeded while an earlier request
   * may still arrive and take the key again.
   */
  public boolean tellStore(Supplier<Boolean> release) {
    try {
      boolean wasThere = Interruption.deferring(release);
      if (!wasThere && lease.wasHeldToTheEnd()) {
        tellOperator();
      }
      if (mayStillArrive()) {
        pursue();
      }
      return wasThere;
    } catch (RuntimeException e) {
      pursue();
      throw lease.about(e);
    } catch (Error e) {
      pursue();
      throw e;
    }
  }

  /** Who never extends a lease has no other way to learn that it was over. */
  private void tellOperator() {
    log.log(
        System.Logger.Level.WARNING,
        () -> "A lease on key " + lease.key().hash() + " was no longer at the store when its holder"
            + " released it, before its time was over. The clock of the store went ahead, somebody"
            + " took the key by force, or the store lost data: others may have worked at the same"
            + " time. Or the answer to a first release got lost, which is harmless");
  }

  private void pursue() {
    services.pendingReleases().add(lease, error -> {});
  }

  private boolean mayStillArrive() {
    return lease.mayArriveUntil() - services.time().nanos() > 0;
  }

  /**
   * Tells the store to let the lease end so much later by itself, and returns whether it was still there.
   *
   * <p>If that fails, it ends by itself even so, only later; or it is released in the background when the time has come.
   */
  public boolean endAtStoreAfter(Duration rest, Cancellation cancellation) {
    Ttl wholeMillis = Ttl.ofMillis(rest.plusNanos(999_999).toMillis());
    boolean certain = false;
    try {
      boolean wasThere = Interruption.deferring(
              () -> services.backend().extend(lease.id(), wholeMillis, cancellation))
          instanceof ExtendResult.Extended;
      certain = !mayStillArrive();
      return wasThere;
    } catch (RuntimeException e) {
      throw lease.about(e);
    } finally {
      if (!certain) {
        services.pendingReleases().addLater(rest, lease);
      }
    }
  }

  /** Gives back what the store may have granted although nobody wants it any more. */
  public void giveBackUnwanted(ReleaseErrorHandler onReleaseError) {
    services
        .pendingReleases()
        .add(
            lease,
            error -> ReleaseErrors.report(
                onReleaseError,
                error,
                new ReleaseErrorHandler.Failure(
                    lease.key(), lease.id(), ReleaseErrorHandler.Source.ABANDONED_ACQUIRE)));
  }

  /** Frees a key that an extension may have kept for longer than we could know; not before our own time is over. */
  public void giveBackAfterLoss() {
    Duration tolerance = Duration.ofMillis(Liveness.TIME_TOLERANCE_MS);
    services.pendingReleases().addLater(tolerance, lease);
  }
}
