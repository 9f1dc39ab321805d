package dev.syncguard.lock;

import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Locks on a store: {@code Locks.over(backend).lock("payment:42").run(lease -> pay(lease.fence()))}.
 *
 * <p>Made to be shared by all threads of a process: those that wait for one key wait in one queue here.
 */
public final class Locks implements AutoCloseable {

  private final LockBackend backend;
  private final Time time;
  private final RandomGenerator random;
  private final Background background;
  private final ReleaseErrorHandler onReleaseError;
  private final Optional<Duration> closeTimeout;
  private final AbandonedGrants abandoned;
  private final WaitingRoom room;
  private volatile boolean closed;

  private Locks(Builder builder) {
    backend = builder.backend;
    time = builder.time;
    random = builder.random;
    background = builder.background == null ? new SystemBackground() : builder.background;
    onReleaseError = builder.onReleaseError;
    closeTimeout = Optional.ofNullable(builder.closeTimeout);
    abandoned = new AbandonedGrants(backend, time, background);
    room = new WaitingRoom(
        backend,
        builder.pollingOnly ? Optional.empty() : backend.waitingLine(),
        time,
        random,
        builder.handOverRuns,
        abandoned);
  }

  /** Returns locks on the given backend, with every setting at its default. */
  public static Locks over(LockBackend backend) {
    return builder(backend).build();
  }

  /** Returns a builder for those who want to change a setting. */
  public static Builder builder(LockBackend backend) {
    return new Builder(backend);
  }

  /** Begins a request for one key. */
  public LockRequest lock(String key) {
    return new LockRequest(this, LockKey.of(key), RequestOptions.defaults(onReleaseError));
  }

  /** Begins a request for several keys, all or nothing. They are taken in one order everywhere, so nobody deadlocks. */
  public LockAllRequest lockAll(String... keys) {
    return lockAll(Arrays.asList(keys));
  }

  /** Begins a request for several keys, all or nothing. They are taken in one order everywhere, so nobody deadlocks. */
  public LockAllRequest lockAll(Collection<String> keys) {
    return LockAllRequest.of(this, keys, RequestOptions.defaults(onReleaseError));
  }

  /** Returns whether anybody holds the key. To decide what to do next, take the lock instead. */
  public boolean isLocked(String key) {
    return backend.isLocked(LockKey.of(key), Cancellation.none());
  }

  /** Returns who holds the key, without its secrets. */
  public Optional<LockInfo> getByKey(String key) {
    return backend.lookup(new LockQuery.ByKey(LockKey.of(key)), Cancellation.none());
  }

  /** Returns the live lease with this id, without its secrets. */
  public Optional<LockInfo> getById(String lockId) {
    return backend.lookup(new LockQuery.ById(LockId.parse(lockId)), Cancellation.none());
  }

  /** Returns who holds the key, with key and lock id. For debugging: treat the answer as a secret. */
  public Optional<LockInfoDebug> getByKeyRaw(String key) {
    return backend.lookupRaw(new LockQuery.ByKey(LockKey.of(key)), Cancellation.none());
  }

  /** Returns the live lease with this id, with key and lock id. For debugging: treat the answer as a secret. */
  public Optional<LockInfoDebug> getByIdRaw(String lockId) {
    return backend.lookupRaw(new LockQuery.ById(LockId.parse(lockId)), Cancellation.none());
  }

  /**
   * Returns whether the lease with this id is live. For screens and logs only: by the time you act on it, it may have
   * changed. Extending and releasing check ownership themselves.
   */
  public boolean owns(String lockId) {
    return getById(lockId).isPresent();
  }

  Optional<Lease> tryAcquire(LockKey key, RequestOptions options) {
    Interruption.throwIfInterrupted();
    LockId id = LockId.random(random);
    long sentAt = time.nanos();
    try {
      AcquireResult result = backend.acquire(key, id, options.ttl(), options.cancellation());
      if (!(result instanceof AcquireResult.Acquired acquired)) {
        return Optional.empty();
      }
      Grant grant = Grant.of(key, id, options.ttl(), acquired, sentAt, sentAt);
      if (grant.cameTooLate(time.nanos())) {
        throw new LockException(
            LockException.Code.NETWORK_TIMEOUT,
            "The lock was granted, but the answer took longer than its ttl; choose a longer ttl");
      }
      return Optional.of(lease(grant, options));
    } catch (RuntimeException e) {
      LockException error = LockException.of(e);
      if (error.leavesOutcomeUnknown()) {
        abandoned.release(key, id, options.ttl(), options.onReleaseError());
      }
      throw error.about(key);
    } catch (Error e) {
      abandoned.release(key, id, options.ttl(), options.onReleaseError());
      throw e;
    }
  }

  Lease acquire(LockKey key, RequestOptions options) {
    Grant grant = room.await(new Waiter.Wish(
        key,
        options.ttl(),
        options.patience(),
        options.polling(),
        options.cancellation(),
        options.onReleaseError()));
    return lease(grant, options);
  }

  private Lease lease(Grant grant, RequestOptions options) {
    LeaseContext context =
        new LeaseContext(backend, time, background, room, options.onReleaseError(), closeTimeout);
    Lease lease = new Lease(context, grant);
    options.maxHold().ifPresent(maxHold -> {
      long holdUntil = grant.sentAtNanos() + maxHold.toNanos();
      lease.keep(new LeaseKeeper(lease, options.ttl(), holdUntil, () -> closed, time, background));
    });
    return lease;
  }

  <T> CompletableFuture<T> async(
      RequestOptions options, Function<Cancellation, T> call, Consumer<T> discard) {
    return AsyncCall.start(background, options.cancellation(), call, discard);
  }

  /** Returns whether nobody waits here. */
  boolean isIdle() {
    return room.isEmpty();
  }

  long nanos() {
    return time.nanos();
  }

  /**
   * Stops renewing leases. Those that are still held run out, unless they are released first, and say so. The backend
   * stays open: it belongs to whoever made it.
   */
  @Override
  public void close() {
    closed = true;
  }

  /** Collects the settings of {@link Locks}. Not for several threads. */
  public static final class Builder {
    private final LockBackend backend;
    private Time time = Time.system();
    private RandomGenerator random = new SecureRandom();
    private @Nullable Background background;
    private ReleaseErrorHandler onReleaseError = ReleaseErrorHandler.logging();
    private @Nullable Duration closeTimeout;
    private int handOverRuns = 16;
    private boolean pollingOnly;

    private Builder(LockBackend backend) {
      this.backend = backend;
    }

    /** Sets where time comes from. The default is this machine. */
    public Builder time(Time source) {
      this.time = source;
      return this;
    }

    /** Sets where lock ids and jitter come from; outside of tests it must be cryptographically strong. */
    public Builder random(RandomGenerator source) {
      this.random = source;
      return this;
    }

    /** Sets who does the work in the background. The default is daemon threads that end when idle. */
    public Builder background(Background worker) {
      this.background = worker;
      return this;
    }

    /** Sets who learns about releases that failed. The default is {@link ReleaseErrorHandler#logging()}. */
    public Builder onReleaseError(ReleaseErrorHandler handler) {
      this.onReleaseError = handler;
      return this;
    }

    /** Bounds how long closing a lease may take. The default is as long as the store's own timeouts allow. */
    public Builder disposeTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw LockException.invalidArgument(
            "A dispose timeout must be above zero; leave it out to have none");
      }
      this.closeTimeout = timeout;
      return this;
    }

    /**
     * Sets how often in a row a key is handed from thread to thread within this process before others get their turn. The
     * default is 16; with 0 every release goes to the store.
     */
    public Builder handOverRuns(int runs) {
      if (runs < 0) {
        throw LockException.invalidArgument(
            "The number of hand-overs in a row must not be negative");
      }
      this.handOverRuns = runs;
      return this;
    }

    /** Lets waiters poll even if the store could wake them. */
    public Builder pollingOnly() {
      this.pollingOnly = true;
      return this;
    }

    public Locks build() {
      return new Locks(this);
    }
  }
}
