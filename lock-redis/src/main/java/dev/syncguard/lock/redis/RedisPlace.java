package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One waiter's place in line for one key. */
final class RedisPlace implements WaitingLine.Place {

  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(1);
  private static final Duration PATIENCE_WITHOUT_WAKE_UPS = Duration.ofMillis(100);
  private static final Duration TIME_TO_CONNECT = Duration.ofSeconds(1);
  private static final String NO_TICKET = "";
  private static final String LOST_TICKET = "0";

  private final RedisLine line;
  private final WakeUps wakeUps;
  private final LockKey key;
  private final LockId id;
  private final Optional<LockNote> note;
  private final Runnable wakeUp;
  private final String lock;
  private final List<String> names;
  private Duration patience = LONGEST_PATIENCE;
  private String ticket = NO_TICKET;

  RedisPlace(
      RedisLine line,
      WakeUps wakeUps,
      LockKey key,
      LockId id,
      Optional<LockNote> note,
      Runnable wakeUp) {
    this.line = line;
    this.wakeUps = wakeUps;
    this.key = key;
    this.id = id;
    this.note = note;
    this.wakeUp = wakeUp;
    this.lock = line.keys.lock(key);
    this.names = List.of(lock, line.keys.index(id), line.keys.fence(lock));
  }

  @Override
  public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    if (!isStanding() && !wakeUps.isListening()) {
      // Most locks are free, and then nobody needs to be woken. A waiter that cannot hear must not
      // be called, so it stands in line only once we listen.
      AcquireResult result = attemptWithoutLine(ttl, cancellation);
      if (result instanceof AcquireResult.Acquired || !wakeUps.listen(TIME_TO_CONNECT)) {
        patience = PATIENCE_WITHOUT_WAKE_UPS;
        return result;
      }
      cancellation.throwIfCancelled();
    }
    return attemptInLine(ttl, cancellation);
  }

  private AcquireResult attemptWithoutLine(Ttl ttl, Cancellation cancellation) {
    List<String> args =
        Grants.arguments(List.of(id.value(), Long.toString(ttl.millis()), key.value()), note);
    return Grants.result(line.grants.ask(Script.ACQUIRE, names, args, id, cancellation), key, id);
  }

  private AcquireResult attemptInLine(Ttl ttl, Cancellation cancellation) {
    wakeUps.expect(id, wakeUp);
    List<String> args = Grants.arguments(
        List.of(id.value(), Long.toString(ttl.millis()), key.value(), wakeUps.channel(), ticket),
        note);
    String drawn = ticket;
    ticket = LOST_TICKET;
    Object reply = line.grants.ask(Script.ATTEMPT, names, args, id, cancellation);
    AcquireResult result = Grants.result(reply, key, id);
    if (result instanceof AcquireResult.Acquired) {
      served();
    } else {
      List<?> refusal = (List<?>) reply;
      ticket =
          drawn.equals(NO_TICKET) || drawn.equals(LOST_TICKET) ? (String) refusal.get(1) : drawn;
      patience = upTo(LONGEST_PATIENCE, (Long) refusal.get(2));
      wakeUps.checkPulse();
    }
    return result;
  }

  private static Duration upTo(Duration longest, long millis) {
    return Duration.ofMillis(Math.max(1, Math.min(longest.toMillis(), millis)));
  }

  @Override
  public AcquireResult takeOver(LockId from, Ttl ttl) {
    return takeOver(from, ttl, Cancellation.none());
  }

  @Override
  public AcquireResult takeOver(LockId from, Ttl ttl, Cancellation cancellation) {
    List<String> all = List.of(lock, names.get(1), names.get(2), line.keys.index(from));
    List<String> args = Grants.arguments(
        List.of(
            id.value(), Long.toString(ttl.millis()), key.value(), wakeUps.channel(), from.value()),
        note);
    AcquireResult result =
        Grants.result(line.grants.ask(Script.TAKE_OVER, all, args, id, cancellation), key, id);
    if (result instanceof AcquireResult.Acquired) {
      served();
    }
    return result;
  }

  @Override
  public Duration patience() {
    return patience;
  }

  private boolean isStanding() {
    return !ticket.equals(NO_TICKET);
  }

  private void served() {
    ticket = NO_TICKET;
    wakeUps.forget(id);
  }

  @Override
  public void close() {
    leave(Cancellation.none());
  }

  @Override
  public void leave(Cancellation cancellation) {
    wakeUps.forget(id);
    if (isStanding()) {
      ticket = NO_TICKET;
      try {
        line.leave(lock, id, wakeUps.channel(), cancellation);
      } catch (LockException e) {
        // The call for a waiter that does not come lapses by itself.
      }
    }
  }
}
