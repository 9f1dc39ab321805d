package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.jdbc.SqliteSession.Durability;
import dev.syncguard.lock.jdbc.SqliteSession.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file as one backend uses it: a connection that writes, and another that reads beside it.
 *
 * <p>Thread-safe.
 */
final class SqliteStore implements AutoCloseable {

  private final SqliteFile file;
  private final Duration busyTimeout;
  private final SqliteSession writer;
  private final SqliteWrites writes;
  private final @Nullable Object identity;
  private final ReentrantLock guard = new ReentrantLock();
  private @Nullable SqliteSession reader;
  private boolean closed;

  SqliteStore(SqliteFile file, Duration busyTimeout) {
    this.file = file;
    this.busyTimeout = busyTimeout;
    this.writer = file.openFirst();
    this.writes = new SqliteWrites(writer);
    this.identity = file.identity();
  }

  /** Makes a change that survives a loss of power. */
  <T> List<T> writeDurably(Waiting waiting, String sql, Row<T> row, @Nullable Object... arguments) {
    requireSameFile();
    return writes.make(new SqliteWrite<>(Durability.FULL, sql, row, arguments), waiting);
  }

  /**
   * A file that was deleted lives on for those who have it open. They would go on granting locks that whoever opens
   * the new file of that name knows nothing about.
   */
  private void requireSameFile() {
    if (!Objects.equals(identity, file.identity())) {
      throw new LockException(
          LockException.Code.INTERNAL,
          "The lock store " + file.path() + " was deleted or replaced while it was in use; restart"
              + " all programs that use it");
    }
  }

  /**
   * Makes a change that is on its way to the disk, and there at the latest with the next durable one. If a loss of
   * power comes first, all that is lost are the youngest such changes.
   */
  <T> List<T> write(Waiting waiting, String sql, Row<T> row, @Nullable Object... arguments) {
    return writes.make(new SqliteWrite<>(Durability.NORMAL, sql, row, arguments), waiting);
  }

  <T> List<T> read(Waiting waiting, String sql, Row<T> row, @Nullable Object... arguments) {
    return reader().read(waiting, sql, row, arguments);
  }

  /** Returns the patience of a caller who wants something. */
  Waiting interruptibly(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return Waiting.upTo(busyTimeout, cancellation);
  }

  /** Returns the patience of a caller who gives something back. */
  Waiting uninterruptibly(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return Waiting.uninterruptibly(busyTimeout, cancellation);
  }

  Path path() {
    return file.path();
  }

  private SqliteSession reader() {
    guard.lock();
    try {
      if (closed) {
        throw new BackendClosedException();
      }
      if (reader == null) {
        reader = file.openAgain();
      }
      return reader;
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void close() {
    guard.lock();
    try {
      if (!closed) {
        closed = true;
        writer.close();
        if (reader != null) {
          reader.close();
        }
      }
    } finally {
      guard.unlock();
    }
  }
}
