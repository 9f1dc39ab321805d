package dev.syncguard.lock;

import dev.syncguard.lock.spi.LockBackend;

/** Lets tests of other packages see what users do not. */
public final class Internals {

  private Internals() {}

  /** Returns whether nobody waits, and nothing is remembered about anybody who did. */
  public static boolean isIdle(Locks locks) {
    return locks.isIdle();
  }

  /** Returns the object that these locks call. */
  public static LockBackend backend(Locks locks) {
    return locks.backend();
  }
}
