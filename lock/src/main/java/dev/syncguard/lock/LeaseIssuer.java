package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseLifecycle;
import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.lease.LeaseWatch;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.waiting.RequestOptions;
import dev.syncguard.lock.waiting.WaitingRoom;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Turns a request for one key into a lease. If anything goes wrong on the way, nothing stays behind. Thread-safe. */
final class LeaseIssuer {

  private final Locks locks;
  private final LeaseServices services;
  private final WaitingRoom room;
  private final LockListeners listeners;
  private final RandomGenerator random;

  LeaseIssuer(
      Locks locks,
      LeaseServices services,
      WaitingRoom room,
      LockListeners listeners,
      RandomGenerator random) {
    this.locks = locks;
    this.services = services;
    this.room = room;
    this.listeners = listeners;
    this.random = random;
  }

  Optional<Lease> tryAcquire(LockKey key, RequestOptions options) {
    return observed(key, options, () -> tryOnce(key, options));
  }

  Lease acquire(LockKey key, RequestOptions options) {
    return observed(key, options, () -> {
          locks.requireOpen();
          return Optional.of(room.await(key, options));
        })
        .orElseThrow();
  }

  private Optional<Lease> observed(
      LockKey key, RequestOptions options, Supplier<Optional<LeaseLifecycle>> request) {
    LeaseWatch watch = listeners.requested(key);
    Optional<LeaseLifecycle> granted;
    try {
      granted = request.get();
    } catch (RuntimeException | Error e) {
      watch.notGranted(e);
      throw e;
    }
    if (granted.isEmpty()) {
      watch.busy();
    }
    return granted.map(lease -> handOut(lease, options, watch));
  }

  private Optional<LeaseLifecycle> tryOnce(LockKey key, RequestOptions options) {
    LeaseLifecycle lease = new LeaseLifecycle(key, LockId.random(random), options.ttl(), services);
    try {
      locks.requireOpen();
      Interruption.throwIfInterrupted();
      options.cancellation().throwIfCancelled();
      boolean granted = lease.request(
          () -> options.attempt(services.backend(), key, lease.id(), options.cancellation()));
      if (!granted) {
        return Optional.empty();
      }
      if (!lease.accept(options.onReleaseError())) {
        throw new LockException(
            LockException.Code.NETWORK_TIMEOUT,
            "The lock was granted, but the answer took longer than its ttl; choose a longer ttl");
      }
    } catch (LockException e) {
      lease.abandon(options.onReleaseError());
      throw e.about(key).about(lease.id());
    } catch (Error e) {
      lease.abandon(options.onReleaseError());
      throw e;
    }
    return Optional.of(lease);
  }

  private Lease handOut(LeaseLifecycle lifecycle, RequestOptions options, LeaseWatch watch) {
    lifecycle.tellTo(watch);
    Lease lease = new Lease(lifecycle, services, room, options.onReleaseError(), options.atLeast());
    services.registry().add(lease);
    try {
      options.maxHold().ifPresent(lifecycle::renewFor);
      if (locks.isClosed()) {
        throw LockErrors.closedMeanwhile().about(lease.key()).about(lease.id());
      }
    } catch (RuntimeException | Error e) {
      lease.close();
      throw e instanceof LockException known
          ? known
          : LockErrors.noBackground(e).about(lease.key()).about(lease.id());
    }
    if (watch.isWanted()) {
      lifecycle.watchForLoss();
    }
    return lease;
  }
}
