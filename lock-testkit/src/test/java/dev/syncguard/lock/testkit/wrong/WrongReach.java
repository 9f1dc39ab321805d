package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operations that touch what is not theirs. */
final class WrongReach {

  private WrongReach() {}

  private static @Nullable Row anyRow(PlainStore store) {
    return store.rows.values().stream().findFirst().orElse(null);
  }

  private static void removeAll(PlainStore store) {
    List.copyOf(store.rows.keySet()).forEach(store::remove);
  }

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "a stranger ends a lock",
            store -> new PlainBackend(store) {
              @Override
              @Nullable
              Row releasable(LockId id) {
                return anyRow(store);
              }
            },
            OwnershipContract.class,
            LifecycleContract.class),
        new Wrong(
            "a stranger prolongs a lock",
            store -> new PlainBackend(store) {
              @Override
              @Nullable
              Row extendable(LockId id) {
                return anyRow(store);
              }
            },
            OwnershipContract.class),
        new Wrong(
            "a release ends all locks",
            store -> new PlainBackend(store) {
              @Override
              public ReleaseResult release(LockId id, Cancellation cancellation) {
                synchronized (store) {
                  ReleaseResult result = super.release(id, cancellation);
                  removeAll(store);
                  return result;
                }
              }
            },
            OwnershipContract.class,
            LifecycleContract.class),
        new Wrong(
            "closing ends the leases",
            store -> new PlainBackend(store) {
              @Override
              public void close() {
                synchronized (store) {
                  removeAll(store);
                }
              }
            },
            LifecycleContract.class),
        new Wrong(
            "cleanup takes the living",
            store -> new PlainBackend(store) {
              @Override
              public boolean isLocked(LockKey key, Cancellation cancellation) {
                synchronized (store) {
                  boolean locked = super.isLocked(key, cancellation);
                  if (isCleanupDue()) {
                    clean(key);
                  }
                  return locked;
                }
              }
            },
            CleanupContract.class),
        new Wrong(
            "lookup finds the neighbour",
            store -> new PlainBackend(store) {
              @Override
              public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
                synchronized (store) {
                  admit(cancellation);
                  return Optional.ofNullable(anyRow(store)).map(row -> row.describe(store.now()));
                }
              }
            },
            LookupContract.class,
            LifecycleContract.class),
        new Wrong(
            "an old grant comes back",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                synchronized (store) {
                  Row row = store.rows.get(key);
                  return row != null && row.id().equals(id)
                      ? acquired(row)
                      : super.acquire(key, id, ttl, cancellation);
                }
              }
            },
            IdempotenceContract.class),
        new Wrong(
            "joining alone keeps others out",
            store -> new PlainBackend(store) {
              @Override
              public Optional<WaitingLine> waitingLine() {
                WaitingLine line = new PlainLine(this);
                return Optional.of((key, id, wakeUp) -> {
                  WaitingLine.Place place = line.join(key, id, wakeUp);
                  place.attempt(Ttl.ofMillis(600_000), Cancellation.none());
                  return place;
                });
              }
            },
            WaitingLineContract.class),
        new Wrong(
            "leaving the line ends the lease",
            store -> new PlainBackend(store) {
              @Override
              void leave(PlainLine.PlainPlace place) {
                super.leave(place);
                release(place.id, Cancellation.none());
              }
            },
            WaitingLineContract.class),
        new Wrong(
            "leaving the line keeps the place",
            store -> new PlainBackend(store) {
              @Override
              void leave(PlainLine.PlainPlace place) {}
            },
            FairLineContract.class));
  }
}
