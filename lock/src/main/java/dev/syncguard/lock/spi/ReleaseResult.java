package dev.syncguard.lock.spi;

/** The answer to a release. */
public sealed interface ReleaseResult {

  /** The lease was live, and this call ended it. */
  record Released() implements ReleaseResult {}

  /**
   * There was no such live lease.
   *
   * @param reason for telemetry only, as far as the store told it in passing
   */
  record Absent(Absence reason) implements ReleaseResult {}
}
