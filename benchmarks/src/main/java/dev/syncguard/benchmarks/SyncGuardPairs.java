package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.util.function.IntFunction;

/** SyncGuard as its users call it: takes a free key and gives it back, on any backend. */
public final class SyncGuardPairs implements Participant {

  private final String name;
  private final LockBackend backend;
  private final Locks locks;
  private final IntFunction<Keys> keys;

  /** Chooses the keys of one thread. */
  public interface Keys {
    String next();
  }

  /** Takes over an open backend; each thread is told its keys by its number. */
  public SyncGuardPairs(String name, LockBackend backend, IntFunction<Keys> keys) {
    this.name = name;
    this.backend = backend;
    this.locks = Locks.over(backend);
    this.keys = keys;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Worker worker(int thread) {
    Keys mine = keys.apply(thread);
    return () -> {
      Lease lease = locks.lock(mine.next()).tryAcquire().orElseThrow();
      if (!lease.release()) {
        throw new IllegalStateException("A lease was gone before it was released");
      }
    };
  }

  @Override
  public void close() {
    locks.close();
    backend.close();
  }
}
