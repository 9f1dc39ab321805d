package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.testkit.AbsenceContract;
import dev.syncguard.lock.testkit.CanaryContract;
import dev.syncguard.lock.testkit.CancellationContract;
import dev.syncguard.lock.testkit.ClosedBackendContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.UnreachableStoreContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Backends that talk too much, or do not say what went wrong. */
final class WrongManners {

  private static final System.Logger log = System.getLogger(WrongManners.class.getName());

  private WrongManners() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "cancellation is ignored",
            store -> new PlainBackend(store) {
              @Override
              void admit(Cancellation cancellation) {
                super.admit(Cancellation.none());
              }
            },
            CancellationContract.class,
            WaitingLineContract.class),
        new Wrong(
            "a lease that ended is said never to have been",
            store -> new PlainBackend(store) {
              @Override
              Absence absence(LockId id) {
                return Absence.NOT_FOUND;
              }
            },
            AbsenceContract.class),
        new Wrong(
            "a closed backend asks to try again",
            store -> new PlainBackend(store) {
              @Override
              LockException refusalOfAClosedBackend() {
                return unreachable();
              }
            },
            ClosedBackendContract.class),
        new Wrong(
            "a closed backend goes on",
            store -> new PlainBackend(store) {
              @Override
              public void close() {}
            },
            ClosedBackendContract.class),
        new Wrong(
            "interrupt is forgotten",
            store -> new PlainBackend(store) {
              @Override
              void admit(Cancellation cancellation) {
                boolean unused = Thread.interrupted();
                super.admit(cancellation);
              }
            },
            CancellationContract.class),
        new Wrong(
            "store failure lasts for ever",
            store -> new PlainBackend(store) {
              private boolean failed;

              @Override
              void admit(Cancellation cancellation) {
                failed |= store.broken;
                super.admit(cancellation);
                if (failed) {
                  throw unreachable();
                }
              }
            },
            UnreachableStoreContract.class),
        new Wrong(
            "cancellation is noticed too late",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                AcquireResult result = super.acquire(key, id, ttl, Cancellation.none());
                cancellation.throwIfCancelled();
                return result;
              }
            },
            CancellationContract.class),
        new Wrong(
            "key is in a message",
            store -> new PlainBackend(store) {
              @Override
              public boolean isLocked(LockKey key, Cancellation cancellation) {
                try {
                  return super.isLocked(key, cancellation);
                } catch (LockException e) {
                  throw new LockException(e.code(), "No answer about " + key.value(), e);
                }
              }
            },
            CanaryContract.class),
        new Wrong(
            "lock id is in a cause",
            store -> new PlainBackend(store) {
              @Override
              public ReleaseResult release(LockId id, Cancellation cancellation) {
                try {
                  return super.release(id, cancellation);
                } catch (LockException e) {
                  RuntimeException driver = new IllegalStateException("DEL " + id.value());
                  throw new LockException(e.code(), "No answer to a release", driver);
                }
              }
            },
            CanaryContract.class,
            UnreachableStoreContract.class),
        new Wrong(
            "key is in the log",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult contended(Row row, LockId id, Ttl ttl) {
                log.log(
                    System.Logger.Level.TRACE,
                    () -> "Contention for " + row.key().value());
                return super.contended(row, id, ttl);
              }
            },
            CanaryContract.class),
        new Wrong(
            "lock id is in a thread name",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult grant(LockKey key, LockId id, Ttl ttl) {
                Thread keeper = new Thread(() -> LockSupport.parkNanos(5_000_000_000L), id.value());
                keeper.setDaemon(true);
                keeper.start();
                return super.grant(key, id, ttl);
              }
            },
            CanaryContract.class),
        new Wrong(
            "backend shows its keys",
            store -> new PlainBackend(store) {
              @Override
              public String toString() {
                return "Plain"
                    + store.rows.keySet().stream().map(LockKey::value).toList();
              }
            },
            CanaryContract.class),
        new Wrong(
            "examination overlooks fences that run out",
            store -> new PlainBackend(store) {
              @Override
              List<StoreCheck.Finding> examine(Cancellation cancellation) {
                return List.of(
                    new StoreCheck.Finding(StoreCheck.Severity.GOOD, "store", "All is well"));
              }
            },
            StoreCheckContract.class),
        new Wrong(
            "store failure looks like contention",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                return store.broken
                    ? new AcquireResult.Contended()
                    : super.acquire(key, id, ttl, cancellation);
              }
            },
            UnreachableStoreContract.class),
        new Wrong(
            "store failure looks like a bug",
            store -> new PlainBackend(store) {
              @Override
              LockException unreachable() {
                return new LockException(LockException.Code.INTERNAL, "Something went wrong");
              }
            },
            UnreachableStoreContract.class));
  }
}
