package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.jdbc.PostgresGrants.Answer;
import dev.syncguard.lock.jdbc.PostgresGrants.Standing;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lines that all processes form in the database, one for each key that somebody waits for.
 *
 * <p>First come, first served. A release calls the first, for whom the key is then kept for {@link
 * PostgresSchema#TURN_MS}. Whoever finds a free key and is not the first calls the first, too; so a key that was freed by
 * somebody who does not know the line, or by nobody, is not kept from anybody for long.
 */
final class PostgresLine implements WaitingLine, AutoCloseable {

  private static final Duration SAFETY_POLL_INTERVAL = Duration.ofSeconds(1);

  /** Half of a turn: somebody who cannot hear that it was called still comes in time. */
  private static final Duration POLL_INTERVAL_WITHOUT_NOTIFY =
      Duration.ofMillis(PostgresSchema.TURN_MS / 2);

  /**
   * The first in line looks again soon, and then ever more seldom: it has to see that the holder changed to learn that it stands beside
   * clients that poll.
   */
  private static final Duration FIRST_LOOK = Duration.ofMillis(50);

  /** Beside clients that poll, the first in line has to poll as well, or it would come too late each time. */
  private static final Duration POLL_INTERVAL_BESIDE_POLLERS = Duration.ofMillis(4);

  private final PostgresStore store;
  private final PostgresSql sql;
  private final PostgresGrants grants;
  private final PostgresPollingNeighbours neighbours;
  private final NotificationListener listener;
  private final AtomicLong tokens = new AtomicLong();

  PostgresLine(PostgresStore store, PostgresSql sql, PostgresGrants grants, Time time) {
    this.store = store;
    this.sql = sql;
    this.grants = grants;
    this.neighbours = new PostgresPollingNeighbours(time);
    this.listener = new NotificationListener(store, sql, time);
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return new PostgresPlace(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return new PostgresPlace(key, id, Optional.of(note), wakeUp);
  }

  @Override
  public void close() {
    listener.close();
  }

  private final class PostgresPlace implements Place {
    private final LockKey key;
    private final LockId id;
    private final Optional<LockNote> note;
    private final Runnable wakeUp;
    private final long token = tokens.incrementAndGet();
    private boolean mayStand;
    private @Nullable Long ticket;
    private Duration patience = SAFETY_POLL_INTERVAL;
    private Duration nextLook = FIRST_LOOK;
    private Optional<String> holderWhenFirst = Optional.empty();

    PostgresPlace(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.note = note;
      this.wakeUp = wakeUp;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      cancellation.throwIfCancelled();
      boolean listening = listener.isListening();
      // Before the attempt, since we may be called before its answer is here.
      listener.expect(token, wakeUp);
      mayStand = true;
      Answer answer = grants.attempt(
          key,
          id,
          ttl,
          new Standing(listening ? listener.channel() : null, token, ticket),
          note,
          cancellation);
      if (answer.result() instanceof AcquireResult.Acquired) {
        served();
      } else {
        ticket = answer.ticket();
        listener.listen();
        noteOvertaking(answer);
        patience =
            shorter(pollInterval(listening), Duration.ofMillis(Math.max(1, answer.lookAgainMs())));
      }
      return answer.result();
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return takeOver(from, ttl, Cancellation.none());
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
      AcquireResult result = grants.takeOver(key, from, id, ttl, note, cancellation);
      if (result instanceof AcquireResult.Acquired) {
        served();
      }
      return result;
    }

    /** Somebody who knows no line took the key although we are the first in it, and will not call us when it is free. */
    private void noteOvertaking(Answer answer) {
      Optional<String> before = holderWhenFirst;
      holderWhenFirst =
          answer.isFirst() ? Optional.ofNullable(answer.heldFence()) : Optional.empty();
      if (before.isPresent() && holderWhenFirst.isPresent() && !before.equals(holderWhenFirst)) {
        neighbours.note(key);
      }
    }

    private Duration pollInterval(boolean listening) {
      Duration safety = listening ? SAFETY_POLL_INTERVAL : POLL_INTERVAL_WITHOUT_NOTIFY;
      if (holderWhenFirst.isEmpty()) {
        return safety;
      }
      if (neighbours.want(key)) {
        return POLL_INTERVAL_BESIDE_POLLERS;
      }
      Duration look = shorter(nextLook, safety);
      nextLook = look.multipliedBy(2);
      return look;
    }

    private static Duration shorter(Duration one, Duration other) {
      return one.compareTo(other) < 0 ? one : other;
    }

    /** The grant has taken us out of the line. */
    private void served() {
      mayStand = false;
      ticket = null;
      listener.forget(token);
    }

    @Override
    public Duration patience() {
      return patience;
    }

    @Override
    public void close() {
      leave(Cancellation.none());
    }

    @Override
    public void leave(Cancellation cancellation) {
      listener.forget(token);
      if (mayStand) {
        mayStand = false;
        giveUp(cancellation);
      }
    }

    private void giveUp(Cancellation cancellation) {
      try {
        store.queryUninterruptibly(
            cancellation,
            sql.leave,
            row -> true,
            PostgresGrants.NAMES.lock(key),
            id.value(),
            store.lockPatienceMillis());
      } catch (LockException e) {
        // Those behind us pass us over when we do not come.
      }
    }
  }
}
