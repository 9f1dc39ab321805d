package dev.syncguard.lock.spi;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import java.util.List;

/** Tells which locks are live right now. For people who look, not for programs that decide. */
public interface LockListing {

  /**
   * Returns up to {@code limit} live locks with their raw keys and lock ids, soonest to expire first. Changes nothing.
   *
   * <p>For people who debug; everybody else uses {@link #live}.
   */
  List<LockInfoDebug> liveRaw(int limit, Cancellation cancellation);

  /** Returns what may be shown of up to {@code limit} live locks, soonest to expire first. Changes nothing. */
  default List<LockInfo> live(int limit, Cancellation cancellation) {
    return liveRaw(limit, cancellation).stream().map(LockInfoDebug::sanitized).toList();
  }
}
