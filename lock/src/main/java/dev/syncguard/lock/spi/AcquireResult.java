package dev.syncguard.lock.spi;

import dev.syncguard.lock.Fence;
import java.time.Duration;
import java.time.Instant;

/** The answer to one attempt to take a key. Being refused is an answer, not a failure. */
public sealed interface AcquireResult {

  /**
   * The key is ours.
   *
   * @param fence larger than that of every earlier holder
   * @param expiresAt when the lease ends unless it is extended, on the clock that the backend trusts
   * @param remaining how much of the lease was left on that clock when the store answered: the whole ttl if the lease began
   *     with this attempt, less if the store has found a grant that an earlier one had left behind
   */
  record Acquired(Fence fence, Instant expiresAt, Duration remaining) implements AcquireResult {

    /** Returns the answer of a store whose clock says {@code nowMs}. */
    public static Acquired at(long nowMs, Fence fence, long expiresAtMs) {
      return new Acquired(
          fence, Instant.ofEpochMilli(expiresAtMs), Duration.ofMillis(expiresAtMs - nowMs));
    }
  }

  /** Somebody else holds the key. */
  record Contended() implements AcquireResult {}
}
