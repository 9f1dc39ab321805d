package dev.syncguard.sync;

/** What a reset has reached. The device is cleared in both cases. */
public enum ResetOutcome {
  /** The remote holds the cleared state. */
  EVERYWHERE,
  /** The remote could not be cleared yet. It will be, before anything is read from it again. */
  PENDING
}
