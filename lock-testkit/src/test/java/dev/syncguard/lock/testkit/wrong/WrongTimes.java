package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.testkit.AgreementContract;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.ExpirationContract;
import dev.syncguard.lock.testkit.FaultContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.StallContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases that end too early, too late, or twice, and records that go too soon. */
final class WrongTimes {

  private WrongTimes() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "expiry is off by one",
            store -> new PlainBackend(store) {
              @Override
              boolean isLive(long expiresAtMs, long nowMs) {
                return super.isLive(expiresAtMs + 1, nowMs);
              }
            },
            LivenessBoundaryContract.class),
        new Wrong(
            "there is no tolerance",
            store -> new PlainBackend(store) {
              @Override
              boolean isLive(long expiresAtMs, long nowMs) {
                return super.isLive(expiresAtMs - 1000, nowMs);
              }
            },
            ExpirationContract.class,
            LivenessBoundaryContract.class),
        new Wrong(
            "extend has no tolerance",
            store -> new PlainBackend(store) {
              @Override
              @Nullable
              Row extendable(LockId id) {
                Row row = owned(id);
                return row != null && isLive(row.expiresAtMs() - 1000, store.now()) ? row : null;
              }
            },
            LivenessBoundaryContract.class),
        new Wrong(
            "leases never end",
            store -> new PlainBackend(store) {
              @Override
              boolean isLive(long expiresAtMs, long nowMs) {
                return true;
              }
            },
            ExpirationContract.class,
            ContentionContract.class),
        new Wrong(
            "extend brings back the dead",
            store -> new PlainBackend(store) {
              @Override
              @Nullable
              Row extendable(LockId id) {
                LockKey key = store.index.get(id);
                Row row = key == null ? null : store.rows.get(key);
                return row != null && row.id().equals(id) ? row : null;
              }
            },
            ExpirationContract.class,
            LivenessBoundaryContract.class,
            AgreementContract.class),
        new Wrong(
            "extend adds instead of replacing",
            store -> new PlainBackend(store) {
              @Override
              long newEnd(Row row, Ttl ttl) {
                return row.expiresAtMs() + ttl.millis();
              }
            },
            ExpirationContract.class),
        new Wrong(
            "grant is shorter than it says",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult grant(LockKey key, LockId id, Ttl ttl) {
                Ttl half = new Ttl(Math.max(1, ttl.millis() / 2));
                AcquireResult.Acquired grant = (AcquireResult.Acquired) super.grant(key, id, half);
                return new AcquireResult.Acquired(grant.fence(), grant.expiresAt(), ttl.duration());
              }
            },
            ExpirationContract.class,
            StallContract.class),
        new Wrong(
            "extend ignores the ttl",
            store -> new PlainBackend(store) {
              @Override
              public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
                return super.extend(id, new Ttl(5_000), cancellation);
              }
            },
            ExpirationContract.class),
        new Wrong(
            "extend is confirmed but not stored",
            store -> new PlainBackend(store) {
              @Override
              public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
                synchronized (store) {
                  Row before = owned(id);
                  ExtendResult result = super.extend(id, ttl, cancellation);
                  if (before != null) {
                    store.put(before);
                  }
                  return result;
                }
              }
            },
            ExpirationContract.class,
            FaultContract.class),
        new Wrong(
            "refused attempt prolongs",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult contended(Row row, LockId id, Ttl ttl) {
                store.put(row.endingAt(row.expiresAtMs() + 1));
                return super.contended(row, id, ttl);
              }
            },
            ContentionContract.class),
        new Wrong(
            "repeated attempt prolongs",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult repeated(Row row, Ttl ttl) {
                Row prolonged = row.endingAt(store.now() + ttl.millis());
                store.put(prolonged);
                return acquired(prolonged);
              }
            },
            IdempotenceContract.class),
        new Wrong(
            "repeated attempt pretends to be new",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult repeated(Row row, Ttl ttl) {
                return AcquireResult.Acquired.at(
                    row.expiresAtMs() - ttl.millis(), row.fence(), row.expiresAtMs());
              }
            },
            IdempotenceContract.class),
        new Wrong(
            "lookup shows the dead",
            store -> new PlainBackend(store) {
              @Override
              public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
                synchronized (store) {
                  return query instanceof LockQuery.ByKey byKey
                      ? Optional.ofNullable(store.rows.get(byKey.key()))
                          .map(row -> row.describe(store.now()))
                      : super.lookupRaw(query, cancellation);
                }
              }
            },
            LookupContract.class,
            LivenessBoundaryContract.class),
        new Wrong(
            "list shows the dead",
            store -> new PlainBackend(store) {
              @Override
              List<LockInfoDebug> list(int limit, Cancellation cancellation) {
                synchronized (store) {
                  return store.rows.values().stream().map(this::describe).toList();
                }
              }
            },
            ListingContract.class),
        new Wrong(
            "is locked prolongs",
            store -> new PlainBackend(store) {
              @Override
              public boolean isLocked(LockKey key, Cancellation cancellation) {
                synchronized (store) {
                  Row row = live(key);
                  if (row != null) {
                    store.put(row.endingAt(row.expiresAtMs() + 100));
                  }
                  return super.isLocked(key, cancellation);
                }
              }
            },
            LookupContract.class,
            ReadOnlyContract.class),
        new Wrong(
            "cleanup has no guard",
            store -> new PlainBackend(store) {
              @Override
              boolean isCleanable(Row row) {
                return true;
              }
            },
            CleanupContract.class),
        new Wrong(
            "cleanup is the work of whoever asks",
            store -> new PlainBackend(store) {
              @Override
              void cleanLater(LockKey key) {
                clean(key);
              }
            },
            CleanupContract.class),
        new Wrong(
            "cleanup needs no request",
            store -> new PlainBackend(store) {
              @Override
              boolean isCleanupDue() {
                return true;
              }
            },
            CleanupContract.class,
            ReadOnlyContract.class));
  }
}
