package dev.syncguard.lock.testkit.faults;

/** What can happen to a call on its way to a store and back. */
public enum CallFault {
  /** The request is lost: nothing happens, and the caller gets an error. */
  FAIL_BEFORE,
  /** The reply is lost: it happened, but the caller gets the same error. */
  FAIL_AFTER,
  /** The request arrives late. */
  DELAY_BEFORE,
  /** The reply arrives late. */
  DELAY_AFTER,
  /** The request arrives twice, and the caller sees the second reply. */
  DUPLICATE
}
