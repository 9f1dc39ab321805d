package dev.syncguard.fence;

import dev.syncguard.lock.Fence;

/**
 * Says that a resource has already been written under a higher fence: somebody else holds the lock by now.
 *
 * <p>The guard changed nothing. Trying again with the same fence can never succeed. The message does not name the resource.
 */
public final class StaleFenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long fence;

  /** Reports that this fence was refused. */
  public StaleFenceException(Fence fence) {
    super(
        "Fence " + fence + " is too old: a later holder of the lock has already been here. Nothing"
            + " was written; roll back, stop this work, and take the lock again before you repeat it");
    this.fence = fence.value();
  }

  /** Returns the fence that was refused. */
  public Fence fence() {
    return new Fence(fence);
  }
}
