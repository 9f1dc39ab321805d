package dev.syncguard.lock;

import java.time.Duration;

/**
 * Learns how one request for a key ends, and the lease that comes of it.
 *
 * <p>Exactly one of {@link #granted}, {@link #busy} and {@link #failed} is called; after {@link #granted}, exactly one of
 * {@link #released} and {@link #lost}, a loss as soon as it happens. The rules of {@link LockListener} hold here, too.
 */
public interface LeaseListener {

  /** Ignores everything. */
  LeaseListener NONE = new LeaseListener() {};

  /**
   * The key is ours.
   *
   * @param waited how long that took
   * @param handedOff whether the holder before us, in this process, handed it over
   */
  default void granted(Fence fence, Duration waited, boolean handedOff) {}

  /** Somebody else held the key for as long as the caller was willing to wait. */
  default void busy(Duration waited) {}

  /** There was no answer: the store failed, the caller gave up, or the locks were closed. */
  default void failed(LockException.Code code, Duration waited) {}

  /** The lease was to be renewed, see {@link Request#autoExtend}. */
  default void renewed(Renewal renewal) {}

  /** The holder has ended the lease, after so long. Whether the store knows is another matter. */
  default void released(Duration held) {}

  /** The lease can no longer be relied upon, after so long. */
  default void lost(Loss reason, Duration held) {}

  /** How a renewal went. */
  enum Renewal {
    /** Confirmed while at least a third of the ttl was left, as planned. */
    IN_TIME,
    /** Confirmed, but later: the store is slow, or this process does not get to run. */
    LATE,
    /** Not confirmed. It is tried again while the lease is valid. */
    FAILED
  }
}
