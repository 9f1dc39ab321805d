package dev.syncguard.sync;

/** How far sync had come when the reader could go on. */
public enum StartOutcome {
  /** What the other devices know is in the reader's state now. */
  HYDRATED,
  /** The time to wait was over or the remote could not be reached; sync goes on in the background. */
  LOCAL_FOR_NOW,
  /** There is no sync in this session: switched off, nobody logged in, no secret, not configured. */
  WITHOUT_SYNC
}
