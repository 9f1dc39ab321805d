package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.handoff.Contender;
import java.util.concurrent.locks.ReentrantLock;

/** The two-round-trip limit: an ideal line in memory that wakes exactly the next, around two bare round trips. */
public final class IdealLine implements Contender {

  private final ReentrantLock line;
  private final KeyedLock roundTrips;

  /** Contenders of one contest share the line. */
  public IdealLine(ReentrantLock line, KeyedLock roundTrips) {
    if (!line.isFair()) {
      throw new IllegalArgumentException("An ideal line is fair");
    }
    this.line = line;
    this.roundTrips = roundTrips;
  }

  @Override
  public void underLock(Runnable work) throws Exception {
    line.lock();
    try {
      roundTrips.underLock(work);
    } finally {
      line.unlock();
    }
  }

  @Override
  public void close() {
    roundTrips.close();
  }
}
