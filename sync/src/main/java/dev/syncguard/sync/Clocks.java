package dev.syncguard.sync;

/** The two clocks of a device. */
public interface Clocks {

  /**
   * Returns the wall clock in milliseconds since 1970. It may be wrong by years and may jump; only for what is stored
   * or shown.
   */
  long wallMillis();

  /** Returns a reading that only grows, in milliseconds since an arbitrary moment. For every delay and every age. */
  long monotonicMillis();
}
