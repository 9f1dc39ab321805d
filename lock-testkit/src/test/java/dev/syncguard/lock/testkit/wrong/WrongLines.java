package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.LocksContract;
import dev.syncguard.lock.testkit.LocksFaultContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.List;

/** Waiters who are not woken, overtaken, or handed what is not theirs. */
final class WrongLines {

  private WrongLines() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "the dead keep their place",
            store -> new PlainBackend(store) {
              @Override
              boolean isDead(PlainLine.PlainPlace place) {
                return false;
              }
            },
            AbandonedPlaceContract.class),
        new Wrong(
            "nobody gets what was handed over",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
                AcquireResult result = super.takeOver(key, from, to, ttl);
                if (result instanceof AcquireResult.Acquired) {
                  release(to, Cancellation.none());
                }
                return result;
              }
            },
            HandOffContract.class,
            LocksContract.class,
            LocksFaultContract.class),
        new Wrong(
            "nobody is woken",
            store -> new PlainBackend(store) {
              @Override
              void wakeFirst(LockKey key) {}
            },
            WakeUpContract.class),
        new Wrong(
            "late comers are served first",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
                synchronized (store) {
                  admit(cancellation);
                  return live(key) == null
                      ? grant(key, id, ttl)
                      : super.acquire(key, id, ttl, cancellation);
                }
              }
            },
            FairLineContract.class),
        new Wrong(
            "line ignores the holder",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult contended(Row row, LockId id, Ttl ttl) {
                return Thread.holdsLock(store) && isInLine()
                    ? grant(row.key(), id, ttl)
                    : super.contended(row, id, ttl);
              }

              private boolean isInLine() {
                return StackWalker.getInstance()
                    .walk(
                        frames -> frames.anyMatch(frame -> frame.getMethodName().equals("attempt")
                            && frame.getClassName().contains("PlainPlace")));
              }
            },
            WaitingLineContract.class),
        new Wrong(
            "take over ignores the owner",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
                Row row = live(key);
                return row != null && row.id().equals(to) ? acquired(row) : grant(key, to, ttl);
              }
            },
            HandOffContract.class),
        new Wrong(
            "take over keeps the fence",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
                Row row = owned(from);
                if (row == null || !row.key().equals(key)) {
                  return super.takeOver(key, from, to, ttl);
                }
                store.remove(key);
                Row next = new Row(key, to, row.fence(), store.now(), store.now() + ttl.millis());
                store.put(next);
                return acquired(next);
              }
            },
            HandOffContract.class),
        new Wrong(
            "take over leaves a gap",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
                if (owned(from) == null) {
                  return super.takeOver(key, from, to, ttl);
                }
                release(from, Cancellation.none());
                try {
                  // Lets go of the monitor, as a second round trip would.
                  store.wait(1);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return acquire(key, to, ttl, Cancellation.none());
              }
            },
            HandOffContract.class),
        new Wrong(
            "repeated take over is refused",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl) {
                return owned(from) == null
                    ? new AcquireResult.Contended()
                    : super.takeOver(key, from, to, ttl);
              }
            },
            HandOffContract.class));
  }
}
