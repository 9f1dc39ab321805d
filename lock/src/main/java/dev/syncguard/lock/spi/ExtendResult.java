package dev.syncguard.lock.spi;

import java.time.Instant;

/** The answer to an extension. */
public sealed interface ExtendResult {

  /**
   * The lease was live, and now ends later or earlier than before.
   *
   * @param expiresAt its new end, on the clock that the backend trusts
   */
  record Extended(Instant expiresAt) implements ExtendResult {}

  /**
   * There was no such live lease.
   *
   * @param reason for telemetry only, as far as the store told it in passing
   */
  record Absent(Absence reason) implements ExtendResult {}
}
