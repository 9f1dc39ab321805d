package dev.syncguard.lock.spi;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockInfo;
import java.util.List;

/** Tells which locks are live right now. For people who look, not for programs that decide. */
public interface LockListing {

  /** Returns up to {@code limit} live locks, those that end first leading. */
  List<LockInfo> live(int limit, Cancellation cancellation);
}
