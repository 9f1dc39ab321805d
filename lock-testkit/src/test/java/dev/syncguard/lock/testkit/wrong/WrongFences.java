package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.DurabilityContract;
import dev.syncguard.lock.testkit.FenceContract;
import dev.syncguard.lock.testkit.FenceLimitContract;
import dev.syncguard.lock.testkit.LeaderElectionContract;
import dev.syncguard.lock.testkit.LoadContract;
import dev.syncguard.lock.testkit.TelemetryContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.List;

/** Fences that repeat, jump, or get lost. */
final class WrongFences {

  private WrongFences() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "fence repeats",
            store -> new PlainBackend(store) {
              @Override
              Fence nextFence(LockKey key) {
                return new Fence(store.fences.getOrDefault(key, 1L));
              }
            },
            FenceContract.class,
            LoadContract.class),
        new Wrong(
            "first fence is two",
            store -> new PlainBackend(store) {
              @Override
              Fence nextFence(LockKey key) {
                return new Fence(store.fences.getOrDefault(key, 1L) + 1);
              }
            },
            FenceContract.class,
            LeaderElectionContract.class),
        new Wrong(
            "last fence is kept back",
            store -> new PlainBackend(store) {
              @Override
              Fence nextFence(LockKey key) {
                Fence next = super.nextFence(key);
                return next.value() == Fence.MAX ? new Fence(Fence.MAX + 1) : next;
              }
            },
            FenceLimitContract.class),
        new Wrong(
            "fence is shared between keys",
            store -> new PlainBackend(store) {
              @Override
              Fence nextFence(LockKey key) {
                long last = store.fences.values().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
                return new Fence(last + 1);
              }
            },
            FenceContract.class,
            TelemetryContract.class),
        new Wrong(
            "fence goes with the release",
            store -> new PlainBackend(store) {
              @Override
              public ReleaseResult release(LockId id, Cancellation cancellation) {
                synchronized (store) {
                  LockKey key = store.index.get(id);
                  ReleaseResult result = super.release(id, cancellation);
                  if (key != null && result instanceof ReleaseResult.Released) {
                    store.fences.remove(key);
                  }
                  return result;
                }
              }
            },
            FenceContract.class,
            LoadContract.class),
        new Wrong(
            "fence goes with the cleanup",
            store -> new PlainBackend(store) {
              @Override
              void clean(LockKey key) {
                super.clean(key);
                store.fences.remove(key);
              }
            },
            CleanupContract.class),
        new Wrong(
            "fence goes with a crash",
            store -> new PlainBackend(store) {
              @Override
              void crash() {
                store.fences.clear();
              }
            },
            DurabilityContract.class),
        new Wrong(
            "lock goes with a crash",
            store -> new PlainBackend(store) {
              @Override
              void crash() {
                store.rows.clear();
              }
            },
            DurabilityContract.class),
        new Wrong(
            "refused attempt uses up a fence",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult contended(Row row, LockId id, Ttl ttl) {
                store.fences.merge(row.key(), 1L, Long::sum);
                return super.contended(row, id, ttl);
              }
            },
            FenceContract.class),
        new Wrong(
            "fence limit is noticed too late",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult grant(LockKey key, LockId id, Ttl ttl) {
                if (store.fences.getOrDefault(key, 0L) >= Fence.MAX) {
                  Row row = new Row(key, id, Fence.FIRST, store.now(), store.now() + ttl.millis());
                  store.put(row);
                }
                return super.grant(key, id, ttl);
              }
            },
            FenceLimitContract.class),
        new Wrong(
            "nobody is warned that fences run out",
            store -> new PlainBackend(store) {
              @Override
              Fence warn(Fence fence, LockKey key) {
                return fence;
              }
            },
            FenceLimitContract.class));
  }
}
