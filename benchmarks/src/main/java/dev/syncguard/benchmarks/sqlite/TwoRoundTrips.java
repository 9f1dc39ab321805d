package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.handoff.Contender;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * The two-round-trip limit: an ideal line in memory that wakes exactly the next, around one bare UPDATE to take the lock
 * and another to give it back.
 */
final class TwoRoundTrips implements Contender {

  private final ReentrantLock line;
  private final BareTable take;
  private final BareTable giveBack;

  /** Contenders of one contest share the line; {@code release} says how durable the second UPDATE is. */
  TwoRoundTrips(ReentrantLock line, Path file, SynchronousMode release) throws SQLException {
    if (!line.isFair()) {
      throw new IllegalArgumentException("An ideal line is fair");
    }
    this.line = line;
    this.take = new BareTable(file, SynchronousMode.FULL);
    this.giveBack = new BareTable(file, release);
  }

  @Override
  public void underLock(Runnable work) throws SQLException {
    line.lock();
    try {
      take.update(0);
      work.run();
      giveBack.update(0);
    } finally {
      line.unlock();
    }
  }

  @Override
  public void close() {
    take.close();
    giveBack.close();
  }
}
