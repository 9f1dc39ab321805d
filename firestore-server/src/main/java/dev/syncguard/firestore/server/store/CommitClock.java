package dev.syncguard.firestore.server.store;

import dev.syncguard.firestore.server.value.Times;
import java.time.InstantSource;

/**
 * Gives out the times of commits and reads in microseconds. Every commit comes after all earlier commits and after all
 * reads that have been given a time. Threads may share it.
 */
final class CommitClock {
  private final InstantSource source;
  private long last;

  CommitClock(InstantSource source) {
    this.source = source;
  }

  synchronized long nextCommit() {
    last = Math.max(now(), last + 1);
    return last;
  }

  synchronized long readTime() {
    last = Math.max(now(), last);
    return last;
  }

  /** Makes every later time come after this one. */
  synchronized void advanceTo(long micros) {
    last = Math.max(last, micros);
  }

  long now() {
    return Times.micros(source.instant());
  }
}
