package dev.syncguard.sync;

/** What a reset has reached. The device is cleared unless it was refused. */
public enum ResetOutcome {
  /** The remote holds the cleared state. */
  EVERYWHERE,
  /** The remote could not be cleared yet. It will be, before anything is read from it again. */
  PENDING,
  /** The remote was written by a newer version of this program. Nothing has changed; update this one first. */
  REFUSED
}
