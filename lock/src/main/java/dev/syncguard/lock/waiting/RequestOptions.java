package dev.syncguard.lock.waiting;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.RetryPolicy;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What a caller may choose about an acquisition, checked on the line where it is chosen. */
public record RequestOptions(
    Ttl ttl,
    Duration waitLimit,
    boolean failFast,
    RetryPolicy polling,
    Optional<Duration> maxHold,
    Duration atLeast,
    Cancellation cancellation,
    ReleaseErrorHandler onReleaseError,
    Optional<LockNote> note) {

  public RequestOptions {
    Objects.requireNonNull(polling);
    Objects.requireNonNull(cancellation);
    Objects.requireNonNull(onReleaseError);
  }

  private static final Duration LONGEST_WAIT = Duration.ofDays(365);

  public static RequestOptions defaults(
      ReleaseErrorHandler onReleaseError, Optional<LockNote> note) {
    return new RequestOptions(
        Ttl.of(Duration.ofSeconds(30)),
        Duration.ofSeconds(5),
        false,
        RetryPolicy.DEFAULT,
        Optional.empty(),
        Duration.ZERO,
        Cancellation.none(),
        onReleaseError,
        note);
  }

  public RequestOptions withTtl(Duration value) {
    Ttl valid = Ttl.of(value);
    requireHoldAtLeastTtl(maxHold, valid);
    requireNoLongerThan(valid, atLeast);
    return new RequestOptions(
        valid, waitLimit, failFast, polling, maxHold, atLeast, cancellation, onReleaseError, note);
  }

  public RequestOptions withWaitLimit(Duration value) {
    if (value.isNegative() || value.compareTo(LONGEST_WAIT) > 0) {
      throw LockException.invalidArgument("A wait must last between zero and 365 days");
    }
    return new RequestOptions(
        ttl, value, failFast, polling, maxHold, atLeast, cancellation, onReleaseError, note);
  }

  public RequestOptions withFailFast() {
    return new RequestOptions(
        ttl, waitLimit, true, polling, maxHold, atLeast, cancellation, onReleaseError, note);
  }

  public RequestOptions withPolling(RetryPolicy value) {
    return new RequestOptions(
        ttl, waitLimit, failFast, value, maxHold, atLeast, cancellation, onReleaseError, note);
  }

  public RequestOptions withMaxHold(Duration value) {
    if (value.compareTo(LONGEST_WAIT) > 0) {
      throw LockException.invalidArgument("A lock must not be held for more than 365 days");
    }
    requireHoldAtLeastTtl(Optional.of(value), ttl);
    return new RequestOptions(
        ttl,
        waitLimit,
        failFast,
        polling,
        Optional.of(value),
        atLeast,
        cancellation,
        onReleaseError,
        note);
  }

  public RequestOptions withAtLeast(Duration value) {
    if (value.isNegative()) {
      throw LockException.invalidArgument("The least time to keep a lock must not be negative");
    }
    requireNoLongerThan(ttl, value);
    return new RequestOptions(
        ttl, waitLimit, failFast, polling, maxHold, value, cancellation, onReleaseError, note);
  }

  public RequestOptions withCancellation(Cancellation value) {
    return new RequestOptions(
        ttl, waitLimit, failFast, polling, maxHold, atLeast, value, onReleaseError, note);
  }

  public RequestOptions withOnReleaseError(ReleaseErrorHandler value) {
    return new RequestOptions(
        ttl, waitLimit, failFast, polling, maxHold, atLeast, cancellation, value, note);
  }

  public RequestOptions withNote(LockNote value) {
    return new RequestOptions(
        ttl,
        waitLimit,
        failFast,
        polling,
        maxHold,
        atLeast,
        cancellation,
        onReleaseError,
        Optional.of(value));
  }

  /** Tries once to take a key as the caller wants it. */
  public AcquireResult attempt(LockBackend backend, LockKey key, LockId id, Cancellation stop) {
    return note.isPresent()
        ? backend.acquire(key, id, ttl, note.get(), stop)
        : backend.acquire(key, id, ttl, stop);
  }

  /** A holder that dies keeps the lock for the ttl, so no longer can be promised. */
  private static void requireNoLongerThan(Ttl ttl, Duration atLeast) {
    if (atLeast.compareTo(ttl.duration()) > 0) {
      throw LockException.invalidArgument(
          "The least time to keep a lock must not be longer than its ttl; choose a longer ttl first");
    }
  }

  private static void requireHoldAtLeastTtl(Optional<Duration> hold, Ttl ttl) {
    if (hold.isPresent() && hold.get().compareTo(ttl.duration()) < 0) {
      throw LockException.invalidArgument(
          "autoExtend needs a maximum hold that is at least the ttl; choose a shorter ttl");
    }
  }
}
