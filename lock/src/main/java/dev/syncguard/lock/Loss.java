package dev.syncguard.lock;

/** Why a lease can no longer be relied upon. */
public enum Loss {
  /**
   * Its time was up on our own clock, or on the store's because that one stepped, and no extension was confirmed before.
   * Somebody else may hold the key by now.
   */
  RAN_OUT,
  /** The store says that it is gone. */
  GONE,
  /** The {@link Locks} that it came from were closed, and have released it. */
  CLOSED
}
