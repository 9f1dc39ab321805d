package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.NetworkContract;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Backends that make something else of a network that fails. */
final class WrongNews {

  private WrongNews() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "a store that is away looks like a key that is taken",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult acquireFailed(LockException failure) {
                return new AcquireResult.Contended();
              }
            },
            NetworkContract.class),
        new Wrong(
            "a store that is away looks like one that waiting cannot mend",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult acquireFailed(LockException failure) {
                throw new LockException(LockException.Code.INTERNAL, "Something broke", failure);
              }
            },
            NetworkContract.class),
        new Wrong(
            "a store that was away is not asked any more",
            store -> new PlainBackend(store) {
              private volatile @Nullable LockException last;

              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                if (last != null) {
                  throw last;
                }
                return super.acquire(key, id, ttl, cancellation);
              }

              @Override
              AcquireResult acquireFailed(LockException failure) {
                last = failure;
                throw failure;
              }
            },
            NetworkContract.class),
        new Wrong(
            "a request of unknown outcome looks like one that was turned away",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult acquireFailed(LockException failure) {
                throw new LockException(LockException.Code.RATE_LIMITED, "Later", failure);
              }
            },
            NetworkContract.class),
        new Wrong(
            "a release that failed looks done",
            store -> new PlainBackend(store) {
              @Override
              ReleaseResult releaseFailed(LockException failure) {
                return new ReleaseResult.Absent(Absence.UNKNOWN);
              }
            },
            NetworkContract.class),
        new Wrong(
            "an extension that failed looks like a lease that is gone",
            store -> new PlainBackend(store) {
              @Override
              ExtendResult extendFailed(LockException failure) {
                return new ExtendResult.Absent(Absence.UNKNOWN);
              }
            },
            NetworkContract.class),
        new Wrong(
            "a request that is under way cannot be cancelled",
            store -> new PlainBackend(store) {
              @Override
              Cancellation heard(Cancellation cancellation) {
                return Cancellation.none();
              }
            },
            NetworkContract.class));
  }
}
