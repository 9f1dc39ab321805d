package dev.syncguard.lock.testkit;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import java.time.Instant;

/**
 * A lease that a test holds.
 *
 * @param key what it protects
 * @param id its id
 * @param fence its fence
 * @param expiresAt when it ends, as the backend said when it was granted
 */
public record Grant(LockKey key, LockId id, Fence fence, Instant expiresAt) {}
