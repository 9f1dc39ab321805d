package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.jdbc.SqliteSession.Durability;
import dev.syncguard.lock.jdbc.SqliteSession.Row;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file as one backend uses it: a connection that writes, and another that reads beside it.
 *
 * <p>Threads may share it.
 */
final class SqliteStore implements AutoCloseable {

  private final SqliteFile file;
  private final Duration busyTimeout;
  private final SqliteSession writer;
  private @Nullable SqliteSession reader;
  private boolean closed;

  SqliteStore(SqliteFile file, Duration busyTimeout) {
    this.file = file;
    this.busyTimeout = busyTimeout;
    this.writer = file.openSession();
  }

  /** Makes a change that survives a loss of power. */
  <T> List<T> writeDurably(Waiting waiting, String sql, Row<T> row, Object... arguments) {
    return writer.write(Durability.FULL, waiting, sql, row, arguments);
  }

  /**
   * Makes a change that is on its way to the disk, and there at the latest with the next durable one. If a loss of
   * power comes first, all that is lost are the youngest such changes.
   */
  <T> List<T> write(Waiting waiting, String sql, Row<T> row, Object... arguments) {
    return writer.write(Durability.NORMAL, waiting, sql, row, arguments);
  }

  <T> List<T> read(Waiting waiting, String sql, Row<T> row, Object... arguments) {
    return reader().read(waiting, sql, row, arguments);
  }

  /** Returns the patience of a caller who wants something. */
  Waiting patiently(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return Waiting.upTo(busyTimeout, cancellation);
  }

  /** Returns the patience of a caller who gives something back. */
  Waiting stubbornly(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return Waiting.stubbornly(busyTimeout, cancellation);
  }

  SqliteFile file() {
    return file;
  }

  private synchronized SqliteSession reader() {
    if (closed) {
      throw SqliteSession.closed();
    }
    if (reader == null) {
      reader = file.openSession();
    }
    return reader;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      writer.close();
      if (reader != null) {
        reader.close();
      }
    }
  }
}
