package dev.syncguard.lock.spi;

/** Why a lease was not there. Decide nothing by it: a store need not know, and may forget. */
public enum Absence {
  /** It is stored, but has ended. */
  EXPIRED,
  /** It is not stored, or the key has another holder. */
  NOT_FOUND,
  /** The store did not say. */
  UNKNOWN
}
