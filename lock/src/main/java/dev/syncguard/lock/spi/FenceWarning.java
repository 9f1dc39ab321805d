package dev.syncguard.lock.spi;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockKey;
import java.lang.System.Logger.Level;

/** Tells the operator in time that the fences of a key are running out. */
public final class FenceWarning {

  private static final System.Logger log = System.getLogger(FenceWarning.class.getName());

  private FenceWarning() {}

  /** Logs a warning if few fences are left for the key, and returns the fence. */
  public static Fence check(Fence fence, LockKey key) {
    if (fence.isNearlyUsedUp()) {
      log.log(
          Level.WARNING,
          () -> "Fence " + fence.value() + " of key " + key.hash() + " nears its limit of "
              + Fence.MAX + "; move this resource to a new key before it is reached");
    }
    return fence;
  }
}
