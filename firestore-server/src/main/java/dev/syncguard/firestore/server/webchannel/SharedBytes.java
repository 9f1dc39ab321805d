package dev.syncguard.firestore.server.webchannel;

import java.util.concurrent.atomic.AtomicLong;

/** How much memory all sessions together use, and may use: about twice the limit at the most. Thread-safe. */
final class SharedBytes {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  SharedBytes(long limit) {
    this.limit = limit;
  }

  void add(long bytes) {
    used.addAndGet(bytes);
  }

  /**
   * Returns whether there is room for everybody.
   *
   * @param aside what is not counted, because it is about to be given back
   */
  boolean hasRoom(long aside) {
    return used.get() - aside < limit;
  }

  /** Returns whether there is room for those who use none: a few that take nothing must not stop all others. */
  boolean hasReserve(long aside) {
    return used.get() - aside < 2 * limit;
  }

  long used() {
    return used.get();
  }
}
