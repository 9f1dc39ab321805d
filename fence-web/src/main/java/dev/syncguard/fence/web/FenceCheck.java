package dev.syncguard.fence.web;

import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;

/**
 * Where a service remembers the highest fence of each resource: not in its memory, but where it keeps its data.
 *
 * <p>{@code (resource, fence) -> guard.write(resource, fence, database, tx -> {})} raises the fence in the service's database.
 */
@FunctionalInterface
public interface FenceCheck {
  /** Raises the fence of the resource, or throws {@link StaleFenceException}. */
  void check(String resource, Fence fence) throws Exception;
}
