package dev.syncguard.lock.lease;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The highest fence that this process has seen of each key it used lately.
 *
 * <p>A store that was flushed, restored from a backup or failed over to a replica that lagged behind hands out fences
 * again. Resources would refuse such a holder at best; so do we. Thread-safe.
 */
public final class RememberedFences {

  private final ReentrantLock guard = new ReentrantLock();
  private final Map<LockKey, Fence> highest;

  /** Remembers this many keys and forgets those first that were not used for longest. */
  public RememberedFences(int capacity) {
    highest = new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<LockKey, Fence> eldest) {
        return size() > capacity;
      }
    };
  }

  /** Remembers the fence of a new grant, or throws {@code FenceRegression} if a fence as high was seen before. */
  public void check(LockKey key, Fence fence) {
    Fence before;
    guard.lock();
    try {
      before = highest.get(key);
      if (before == null || fence.compareTo(before) > 0) {
        highest.put(key, fence);
        return;
      }
    } finally {
      guard.unlock();
    }
    throw new LockException(
        LockException.Code.FENCE_REGRESSION,
        "The store granted fence " + fence.value() + ", but this process has already seen fence "
            + before.value() + " of this key: the store lost data (was it flushed, restored from a"
            + " backup, or failed over?). The lock was given back. Raise the fence counter above "
            + before.value() + " at the store; or, when nothing that the lock protects remembers"
            + " older fences, restart this process");
  }
}
