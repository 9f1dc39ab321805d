package dev.syncguard.torture.questions;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/** A store as one question sees it, on keys that nobody else uses. Whatever was taken or opened is given back at the end. Not thread-safe. */
final class Subject implements AutoCloseable {

  static final Cancellation NEVER = Cancellation.none();

  /** Lasts for longer than any question. */
  static final Ttl LONG = Ttl.ofMillis(120_000);

  /** Runs out while a question waits for it. */
  static final Ttl SHORT = Ttl.ofMillis(1_000);

  private final LockBackend backend;
  private final Supplier<LockBackend> opener;
  private final Promises promises;
  private final String prefix;
  private final Time time;
  private final SecureRandom random = new SecureRandom();
  private final Deque<Runnable> cleanUp = new ArrayDeque<>();

  Subject(
      LockBackend backend,
      Supplier<LockBackend> opener,
      Promises promises,
      String prefix,
      Time time) {
    this.backend = backend;
    this.opener = opener;
    this.promises = promises;
    this.prefix = prefix;
    this.time = time;
  }

  LockBackend backend() {
    return backend;
  }

  Promises promises() {
    return promises;
  }

  /** Returns another backend on the same store. */
  LockBackend another() {
    LockBackend opened = opener.get();
    cleanUp.push(opened::close);
    return opened;
  }

  /** Returns a place in line that is left in the end. */
  WaitingLine.Place opened(WaitingLine.Place place) {
    cleanUp.push(place::close);
    return place;
  }

  LockKey key() {
    return LockKey.of(prefix);
  }

  /** Returns another key of this question. */
  LockKey key(String end) {
    return LockKey.of(prefix + end);
  }

  /** Returns an id under which nothing stays locked when the question is over. */
  LockId newId() {
    LockId id = LockId.random(random);
    cleanUp.push(() -> backend.release(id, NEVER));
    return id;
  }

  Held take(LockKey key) {
    return take(key, LONG);
  }

  Held take(LockKey key, Ttl ttl) {
    return take(key, newId(), ttl);
  }

  Held take(LockKey key, LockId id, Ttl ttl) {
    long sent = time.nanos();
    return granted(key, id, ttl, sent, backend.acquire(key, id, ttl, NEVER));
  }

  Held take(LockKey key, LockId id, LockNote note) {
    long sent = time.nanos();
    return granted(key, id, LONG, sent, backend.acquire(key, id, LONG, note, NEVER));
  }

  private Held granted(LockKey key, LockId id, Ttl ttl, long sent, AcquireResult result) {
    if (result instanceof AcquireResult.Acquired grant) {
      return new Held(key, id, ttl, grant, sent, time.nanos());
    }
    throw new WrongAnswer("A key that nobody held was refused");
  }

  boolean isRefused(LockKey key) {
    return backend.acquire(key, newId(), LONG, NEVER) instanceof AcquireResult.Contended;
  }

  boolean isLocked(LockKey key) {
    return backend.isLocked(key, NEVER);
  }

  Optional<LockInfoDebug> look(LockKey key) {
    return backend.lookupRaw(new LockQuery.ByKey(key), NEVER);
  }

  Optional<LockInfoDebug> look(LockId id) {
    return backend.lookupRaw(new LockQuery.ById(id), NEVER);
  }

  /** Returns what the store shows of a lease that is live. */
  LockInfoDebug shown(Held lease) {
    return look(lease.key())
        .orElseThrow(() -> new WrongAnswer("A look-up by its key did not find a live lease"));
  }

  static void expect(boolean right, String otherwise) {
    if (!right) {
      throw new WrongAnswer(otherwise);
    }
  }

  /** Goes on only if it is not later than this: what is asked afterwards would prove nothing. */
  void notLaterThan(long nanos) {
    if (time.nanos() > nanos) {
      throw NotDecided.tooSlow();
    }
  }

  Time time() {
    return time;
  }

  long nanos() {
    return time.nanos();
  }

  void pause(Duration length) {
    pauseUntil(time.nanos() + length.toNanos());
  }

  void pauseUntil(long nanos) {
    try {
      for (long left = nanos - time.nanos(); left > 0; left = nanos - time.nanos()) {
        boolean unused = time.newSignal().await(Duration.ofNanos(left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw NotDecided.tooSlow();
    }
  }

  @Override
  public void close() {
    while (!cleanUp.isEmpty()) {
      try {
        cleanUp.pop().run();
      } catch (LockException e) {
        // It ends by itself.
      }
    }
  }
}
