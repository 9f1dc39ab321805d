package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.FaultContract;
import dev.syncguard.lock.testkit.ForeignLeaseContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.LoadContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.SemaphoreContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Leases that the wrong caller gets, keeps, or ends. */
final class WrongOwners {

  private WrongOwners() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "release does not check the owner",
            store -> new ForgetfulIndex(store) {
              @Override
              @Nullable
              Row releasable(LockId id) {
                return byStaleIndex(id);
              }
            },
            OwnershipContract.class,
            IdempotenceContract.class,
            ForeignLeaseContract.class),
        new Wrong(
            "extend does not check the owner",
            store -> new ForgetfulIndex(store) {
              @Override
              @Nullable
              Row extendable(LockId id) {
                return byStaleIndex(id);
              }
            },
            OwnershipContract.class),
        new Wrong(
            "lookup does not check the owner",
            store -> new ForgetfulIndex(store) {
              @Override
              @Nullable
              Row owned(LockId id) {
                return byStaleIndex(id);
              }
            },
            OwnershipContract.class),
        new Wrong(
            "release succeeds twice",
            store -> new PlainBackend(store) {
              private final Set<LockId> released = new HashSet<>();

              @Override
              public ReleaseResult release(LockId id, Cancellation cancellation) {
                synchronized (store) {
                  ReleaseResult result = super.release(id, cancellation);
                  boolean known = result instanceof ReleaseResult.Released
                      ? !released.add(id)
                      : released.contains(id);
                  return known ? new ReleaseResult.Released() : result;
                }
              }
            },
            LifecycleContract.class,
            OwnershipContract.class,
            LoadContract.class),
        new Wrong(
            "two are granted in a race",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                admit(cancellation);
                Row row;
                synchronized (store) {
                  row = live(key);
                }
                if (row != null) {
                  return row.id().equals(id) ? acquired(row) : new AcquireResult.Contended();
                }
                // The gap between looking and taking.
                LockSupport.parkNanos(100_000);
                synchronized (store) {
                  return grant(key, id, ttl);
                }
              }
            },
            ContentionContract.class,
            LoadContract.class),
        new Wrong(
            "refused attempt steals",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult contended(Row row, LockId id, Ttl ttl) {
                return grant(row.key(), id, ttl);
              }
            },
            SemaphoreContract.class,
            ContentionContract.class,
            LoadContract.class),
        new Wrong(
            "repeated attempt is refused",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult repeated(Row row, Ttl ttl) {
                return new AcquireResult.Contended();
              }
            },
            IdempotenceContract.class,
            FaultContract.class),
        new Wrong(
            "repeated attempt is granted anew",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult repeated(Row row, Ttl ttl) {
                return grant(row.key(), row.id(), ttl);
              }
            },
            IdempotenceContract.class,
            FaultContract.class),
        new Wrong(
            "keys lose their case",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                LockKey folded = LockKey.of(key.value().toLowerCase(Locale.ROOT));
                return super.acquire(folded, id, ttl, cancellation);
              }
            },
            AwkwardKeysContract.class),
        new Wrong(
            "fences live among the keys",
            store -> new PlainBackend(store) {
              @Override
              Fence nextFence(LockKey key) {
                return store.rows.containsKey(LockKey.of("fence:" + key.value()))
                    ? Fence.FIRST
                    : super.nextFence(key);
              }
            },
            AwkwardKeysContract.class));
  }

  /** A backend that does not tidy up its index, as a store with expiring index entries would not. */
  private static class ForgetfulIndex extends PlainBackend {
    private final Map<LockId, LockKey> stale = new HashMap<>();

    ForgetfulIndex(PlainStore store) {
      super(store);
    }

    @Override
    AcquireResult grant(LockKey key, LockId id, Ttl ttl) {
      stale.put(id, key);
      return super.grant(key, id, ttl);
    }

    @Nullable
    Row byStaleIndex(LockId id) {
      LockKey key = stale.get(id);
      return key == null ? null : live(key);
    }
  }
}
