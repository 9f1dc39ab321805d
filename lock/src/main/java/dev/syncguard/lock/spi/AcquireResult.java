package dev.syncguard.lock.spi;

import dev.syncguard.lock.Fence;
import java.time.Instant;

/** The answer to one attempt to take a key. Being refused is an answer, not a failure. */
public sealed interface AcquireResult {

  /**
   * The key is ours.
   *
   * @param fence larger than that of every earlier holder
   * @param expiresAt when the lease ends unless it is extended, on the clock that the backend trusts
   */
  record Acquired(Fence fence, Instant expiresAt) implements AcquireResult {}

  /** Somebody else holds the key. */
  record Contended() implements AcquireResult {}
}
