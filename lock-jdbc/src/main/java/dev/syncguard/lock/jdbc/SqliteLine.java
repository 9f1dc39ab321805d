package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;

/**
 * The lines that all processes form in the file, one for each key.
 *
 * <p>First come, first served. A key that became free is reserved for the first in line for {@link
 * SqliteSchema#TURN_MS}, then also for the second, and so on, so that a process that died in line holds nobody up for
 * long. Nobody is told anything: those in line look by themselves, see {@link SqliteWatch}.
 */
final class SqliteLine implements WaitingLine {

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final SqliteLockBackend backend;
  private final SqliteStore store;
  private final SqliteSql sql;
  private final SqliteWatch watch;

  SqliteLine(SqliteLockBackend backend, SqliteStore store, SqliteSql sql, Time time) {
    this.backend = backend;
    this.store = store;
    this.sql = sql;
    this.watch = new SqliteWatch(store, sql, time);
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new SqlitePlace(key, id, wakeUp);
  }

  void close() {
    watch.close();
  }

  private final class SqlitePlace implements Place {
    private final LockKey key;
    private final LockId id;
    private final SqliteWatch.Post post;
    private boolean mayStand;

    SqlitePlace(LockKey key, LockId id, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.post = new SqliteWatch.Post(key, id, wakeUp);
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      AcquireResult result = backend.acquire(key, id, ttl, cancellation);
      if (result instanceof AcquireResult.Acquired) {
        served();
      } else {
        stand(cancellation);
      }
      return result;
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      AcquireResult result = backend.takeOver(key, from, id, ttl);
      if (result instanceof AcquireResult.Acquired) {
        served();
      }
      return result;
    }

    private void stand(Cancellation cancellation) {
      mayStand = true;
      store.write(store.patiently(cancellation), sql.join, row -> true, key.value(), id.value());
      watch.add(post);
    }

    /** The grant has taken us out of the line. */
    private void served() {
      mayStand = false;
      watch.remove(post);
    }

    @Override
    public Duration patience() {
      return PATIENCE;
    }

    @Override
    public void close() {
      watch.remove(post);
      if (mayStand) {
        mayStand = false;
        leave();
      }
    }

    private void leave() {
      try {
        store.write(
            store.stubbornly(Cancellation.none()), sql.leave, row -> true, key.value(), id.value());
      } catch (LockException e) {
        // Those behind us pass us over when we do not come.
      }
    }
  }
}
