package dev.syncguard.lock.testkit.memory;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;

/** Locks in memory, on a clock that stands still. All "processes" share the one backend, which is its own store. */
final class MemoryFixture implements LockFixture.SettableClock {

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend backend = new MemoryLockBackend(time);

  @Override
  public LockBackend open() {
    return backend;
  }

  @Override
  public void pass(Duration duration) {
    time.advance(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    backend.presetFence(key, handedOut);
  }

  @Override
  public void close() {}
}
