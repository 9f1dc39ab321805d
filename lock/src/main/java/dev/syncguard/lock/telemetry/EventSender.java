package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.telemetry.LockEvent.Outcome;
import dev.syncguard.lock.telemetry.LockEvent.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Runs operations and tells the listener how they went, without ever letting it interfere. */
final class EventSender {

  private final Consumer<? super LockEvent> listener;
  private final Predicate<? super LockEvent> includeRaw;
  private final Executor delivery;
  private final Time time;

  EventSender(
      Consumer<? super LockEvent> listener,
      Predicate<? super LockEvent> includeRaw,
      Executor delivery,
      Time time) {
    this.listener = listener;
    this.includeRaw = includeRaw;
    this.delivery = delivery;
    this.time = time;
  }

  /** How an answer is told. */
  record Verdict(Outcome outcome, Optional<Reason> reason) {
    static final Verdict OK = new Verdict(Outcome.OK, Optional.empty());
    static final Verdict NO = new Verdict(Outcome.FAIL, Optional.empty());

    static Verdict no(Reason reason) {
      return new Verdict(Outcome.FAIL, Optional.of(reason));
    }
  }

  <T> T observe(
      LockEvent.Type type,
      Optional<LockKey> key,
      Optional<LockId> lockId,
      Supplier<T> operation,
      Function<? super T, Verdict> verdict) {
    long start = time.nanos();
    T result;
    try {
      result = operation.get();
    } catch (LockException e) {
      send(type, Verdict.NO, Optional.of(e.code()), key, lockId, start);
      throw e;
    } catch (RuntimeException | Error e) {
      send(type, Verdict.NO, Optional.of(LockException.Code.INTERNAL), key, lockId, start);
      throw e;
    }
    send(type, verdict.apply(result), Optional.empty(), key, lockId, start);
    return result;
  }

  void send(
      LockEvent.Type type,
      Verdict verdict,
      Optional<LockException.Code> error,
      Optional<LockKey> key,
      Optional<LockId> lockId,
      long startNanos) {
    Duration duration = Duration.ofNanos(time.nanos() - startNanos);
    try {
      // Hashes, too, are made where the listener runs, so that the operation does not wait for
      // them.
      delivery.execute(() -> tell(type, verdict, error, key, lockId, duration));
    } catch (RuntimeException | Error e) {
      // An executor that refuses loses events, not locks.
    }
  }

  private void tell(
      LockEvent.Type type,
      Verdict verdict,
      Optional<LockException.Code> error,
      Optional<LockKey> key,
      Optional<LockId> lockId,
      Duration duration) {
    try {
      LockEvent event = new LockEvent(
          type,
          verdict.outcome(),
          verdict.reason(),
          error,
          key.map(LockKey::hash),
          lockId.map(LockId::hash),
          duration,
          Optional.empty(),
          Optional.empty());
      listener.accept(wantsRaw(event) ? event.withRaw(key, lockId) : event);
    } catch (Throwable e) {
      // The operation is done, so its result must reach the caller: it may be a lock to release.
      // What a listener does is not the lock's business, and it has its own ways to report itself.
    }
  }

  private boolean wantsRaw(LockEvent event) {
    try {
      return includeRaw.test(event);
    } catch (RuntimeException | Error e) {
      return false;
    }
  }
}
