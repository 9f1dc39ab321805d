package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lines that all processes form in the file, one for each key.
 *
 * <p>First come, first served. A key that became free is reserved for the first in line for {@link
 * SqliteSchema#TURN_MS}, then also for the second, and so on, so that a process that was stopped holds nobody up for
 * long. Whoever frees a key, or finds a free one that is not for it, calls the first in line; the dead are taken out of the
 * line on that occasion. Whoever lost its turn keeps its ticket and so goes back to where it stood.
 */
final class SqliteLine implements WaitingLine, AutoCloseable {

  /** A wake-up that got lost costs no more than this, for the first in line. */
  private static final Duration SAFETY_POLL = Duration.ofSeconds(1);

  private static final Duration LONGEST_SAFETY_POLL = Duration.ofSeconds(5);
  private static final Duration POLL_INTERVAL_WITHOUT_WAKE_UPS = Duration.ofMillis(50);

  private final SqliteLockBackend backend;
  private final SqliteStore store;
  private final SqliteSql sql;
  private final SqliteWakeUps wakeUps;
  private final AtomicLong tokens = new AtomicLong();

  SqliteLine(SqliteLockBackend backend, SqliteStore store, SqliteSql sql, Path file) {
    this.backend = backend;
    this.store = store;
    this.sql = sql;
    this.wakeUps = new SqliteWakeUps(file);
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new SqlitePlace(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new SqlitePlace(key, id, Optional.of(note), wakeUp);
  }

  @Override
  public void close() {
    wakeUps.close();
  }

  /**
   * Calls the first in line and returns whether there is one. Those who are gone are taken out of the line.
   *
   * <p>Never fails: whoever is not called looks by itself.
   */
  boolean callFirst(String key) {
    try {
      while (true) {
        Optional<First> first = first(key);
        if (first.isEmpty()) {
          return false;
        }
        if (!first.get().isGone(wakeUps)) {
          return true;
        }
        removeFromLine(key, first.get().id);
      }
    } catch (LockException e) {
      return true;
    }
  }

  private Optional<First> first(String key) {
    return store
        .read(store.uninterruptibly(Cancellation.none()), sql.firstInLine, First::read, key)
        .stream()
        .findFirst();
  }

  private void removeFromLine(String key, String id) {
    store.write(store.uninterruptibly(Cancellation.none()), sql.leave, row -> true, key, id);
  }

  /** The first in line, and how its process is called. */
  private record First(String id, @Nullable String socket, long token) {
    static First read(ResultSet row) throws SQLException {
      return new First(row.getString(1), row.getString(2), row.getLong(3));
    }

    /** Calls it. One that cannot be called may be there all the same. */
    boolean isGone(SqliteWakeUps wakeUps) {
      return socket != null && wakeUps.call(socket, token) == SqliteWakeUps.Call.NOBODY_THERE;
    }
  }

  /** How things stand for one in line. The wait is until its turn, if the key is not extended, released or taken before. */
  private record View(boolean ourTurn, boolean keyIsFree, long ahead, long waitMs) {
    static View read(ResultSet row) throws SQLException {
      return new View(row.getBoolean(1), row.getBoolean(2), row.getLong(3), row.getLong(4));
    }
  }

  private final class SqlitePlace implements Place {
    private final LockKey key;
    private final LockId id;
    private final Optional<LockNote> note;
    private final Runnable wakeUp;
    private final long token = tokens.incrementAndGet();
    private volatile boolean called;
    private boolean standing;
    private boolean mayStand;
    private @Nullable Long ticket;
    private Duration patience = SAFETY_POLL;

    SqlitePlace(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.note = note;
      this.wakeUp = wakeUp;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      // Trying means to write, and so to wait for others who write; looking does not.
      if (standing && !called && !isOurTurn(cancellation)) {
        return new AcquireResult.Contended();
      }
      called = false;
      standing = false;
      AcquireResult result = backend.acquireOnce(key, id, ttl, note, cancellation);
      if (result instanceof AcquireResult.Acquired) {
        served();
      } else {
        stand(cancellation);
        // The key may have become free before we stood in line, when nobody could know of us.
        if (isOurTurn(cancellation)) {
          call();
        }
      }
      return result;
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      AcquireResult result = backend.takeOver(key, from, id, ttl, note);
      if (result instanceof AcquireResult.Acquired) {
        served();
      }
      return result;
    }

    private void call() {
      called = true;
      wakeUp.run();
    }

    private void stand(Cancellation cancellation) {
      mayStand = true;
      Optional<String> socket = wakeUps.listen(this::socketsInUse);
      wakeUps.expect(token, this::call);
      List<Long> issued = store.write(
          store.interruptibly(cancellation),
          sql.join,
          row -> row.getLong(1),
          key.value(),
          id.value(),
          ticket,
          socket.orElse(null),
          token);
      ticket = issued.isEmpty() ? ticket : issued.get(0);
      standing = true;
    }

    private Set<String> socketsInUse() {
      return Set.copyOf(store.read(
          store.uninterruptibly(Cancellation.none()), sql.socketsInUse, row -> row.getString(1)));
    }

    private boolean isOurTurn(Cancellation cancellation) {
      List<View> views = store.read(
          store.interruptibly(cancellation), sql.look, View::read, key.value(), id.value());
      if (views.isEmpty() || views.get(0).ourTurn) {
        return true;
      }
      View view = views.get(0);
      patience = patience(view);
      if (view.keyIsFree) {
        callFirst(key.value());
      }
      return false;
    }

    /** Those far behind have time: each one before us is called first. */
    private Duration patience(View view) {
      Duration poll = wakeUps.isListening() ? SAFETY_POLL : POLL_INTERVAL_WITHOUT_WAKE_UPS;
      Duration longest = shorter(poll.multipliedBy(view.ahead + 1), LONGEST_SAFETY_POLL);
      return shorter(longest, Duration.ofMillis(Math.max(1, view.waitMs)));
    }

    private static Duration shorter(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? one : other;
    }

    /** The grant has taken us out of the line. */
    private void served() {
      mayStand = false;
      ticket = null;
      wakeUps.forget(token);
    }

    @Override
    public Duration patience() {
      return patience;
    }

    @Override
    public void close() {
      wakeUps.forget(token);
      if (mayStand) {
        mayStand = false;
        standing = false;
        leave();
      }
    }

    private void leave() {
      try {
        removeFromLine(key.value(), id.value());
        // We may have been called already, so we pass the call on.
        if (!backend.isHeld(key, Cancellation.none())) {
          callFirst(key.value());
        }
      } catch (LockException e) {
        // Those behind us pass us over when we do not come.
      }
    }
  }
}
