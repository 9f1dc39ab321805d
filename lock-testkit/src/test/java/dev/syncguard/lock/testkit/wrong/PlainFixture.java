package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.CleanupPace;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.torture.proxy.Network;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** A plain store that can do everything, opened by backends that may be wrong. */
final class PlainFixture
    implements LockFixture.SettableClock,
        LockFixture.Cleaning,
        LockFixture.Inspectable,
        LockFixture.Restartable,
        LockFixture.Breakable,
        LockFixture.Networked {

  private final PlainStore store = new PlainStore();
  private final PlainNetwork network = new PlainNetwork();
  private final Function<PlainStore, PlainBackend> opener;

  PlainFixture(Function<PlainStore, PlainBackend> opener) {
    this.opener = opener;
  }

  @Override
  public LockBackend open() {
    return opener.apply(store);
  }

  @Override
  public LockBackend openThroughNetwork() {
    return new RemoteBackend(opener.apply(store), network);
  }

  @Override
  public Network network() {
    return network;
  }

  @Override
  public LockBackend openCleaning(Duration interval) {
    return openCleaning(interval, Runnable::run);
  }

  @Override
  public LockBackend openCleaning(Duration interval, Executor executor) {
    return opener.apply(store).cleaning(new CleanupPace(interval, store.time), executor);
  }

  @Override
  public boolean isStored(LockKey key) {
    synchronized (store) {
      return store.rows.containsKey(key);
    }
  }

  @Override
  public String content() {
    synchronized (store) {
      return store.rows.values() + " " + store.fences;
    }
  }

  @Override
  public void pass(Duration time) {
    store.time.advance(time);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    synchronized (store) {
      store.fences.put(key, handedOut);
    }
  }

  @Override
  public void restart() {
    synchronized (store) {
      store.line.clear();
      opener.apply(store).crash();
    }
  }

  @Override
  public void breakDown() {
    store.broken = true;
  }

  @Override
  public void repair() {
    store.broken = false;
  }

  @Override
  public void close() {}
}
