package dev.syncguard.lock;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.ReleaseErrorHandler.Source;
import dev.syncguard.lock.spi.ExtendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A key that is ours for a while.
 *
 * <p>The lease belongs to whoever has this object, not to a thread. It ends when it is released or closed, or by itself
 * after its ttl. Hand {@link #fence()} to everything that the lock protects: only a resource that refuses lower fences is
 * safe from a holder that was paused for too long. Threads may share a lease.
 */
public final class Lease implements AutoCloseable {

  private enum State {
    ACTIVE,
    RELEASING,
    DONE
  }

  private final LeaseContext context;
  private final LockKey key;
  private final LockId id;
  private final Fence fence;
  private final ReentrantLock extending = new ReentrantLock();
  private final AtomicReference<State> state = new AtomicReference<>(State.ACTIVE);
  private volatile long validUntilNanos;
  private volatile Instant expiresAt;
  private volatile boolean lost;
  private volatile @Nullable Thread releaser;
  private volatile @Nullable LeaseKeeper keeper;
  private final AtomicBoolean failureTold = new AtomicBoolean();
  private @Nullable LossWatch lossWatch;
  private @Nullable CompletableFuture<Void> released;

  Lease(LeaseContext context, Grant grant) {
    this.context = context;
    this.key = grant.key();
    this.id = grant.id();
    this.fence = grant.fence();
    this.expiresAt = grant.expiresAt();
    this.validUntilNanos = grant.validUntilNanos();
  }

  public LockKey key() {
    return key;
  }

  /** Returns the secret with which this lease can be extended and released from elsewhere. */
  public LockId id() {
    return id;
  }

  /** Returns the number that tells this holder from all earlier ones. */
  public Fence fence() {
    return fence;
  }

  /** Returns when the lease ends unless it is extended, on the backend's clock. To measure time, use {@link #remaining}. */
  public Instant expiresAt() {
    return expiresAt;
  }

  /**
   * Returns how much longer nobody else can get the key, or zero if that cannot be promised.
   *
   * <p>It is counted on this machine's monotonic clock from before the request was sent, so it never promises too much,
   * whatever the wall clocks say.
   */
  public Duration remaining() {
    return isOver()
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(validUntilNanos - context.time().nanos(), 0));
  }

  /** Returns whether the lease can still be relied upon at this moment. */
  public boolean isHeld() {
    return !remaining().isZero();
  }

  /** Throws {@link LeaseLostException} unless the lease lasts at least this much longer. */
  public void ensureHeld(Duration margin) {
    if (remaining().compareTo(margin) < 0 || !isHeld()) {
      throw new LeaseLostException("The lease does not last for the " + margin.toMillis()
          + " ms that the next step needs; stop, or take the lock again");
    }
  }

  /** Returns a stage that completes as soon as the lease can no longer be relied upon; never after a release. */
  public CompletionStage<Loss> whenLost() {
    return lossWatch().stage();
  }

  /** Lets the lease end {@code ttl} from now, and returns whether it was still there. */
  public boolean extend(Duration ttl) {
    return extend(ttl, Cancellation.none());
  }

  /** As {@link #extend(Duration)}, but gives up when cancelled. */
  public boolean extend(Duration ttl, Cancellation cancellation) {
    Ttl valid = Ttl.of(ttl);
    // One at a time, so that what we count here is what the store did last.
    extending.lock();
    try {
      return extendNow(valid, cancellation);
    } finally {
      extending.unlock();
    }
  }

  private boolean extendNow(Ttl ttl, Cancellation cancellation) {
    long end = context.time().nanos() + ttl.duration().toNanos();
    ExtendResult result;
    try {
      result = context.backend().extend(id, ttl, cancellation);
    } catch (RuntimeException e) {
      LockException error = LockException.of(e);
      // It may have happened, and may have made the lease shorter.
      if (error.leavesOutcomeUnknown() && end - validUntilNanos < 0) {
        promiseUntil(end);
      }
      throw error.about(key);
    }
    if (result instanceof ExtendResult.Extended extended) {
      promiseUntil(end);
      expiresAt = extended.expiresAt();
      return true;
    }
    lose(Loss.GONE);
    return false;
  }

  private void promiseUntil(long nanos) {
    validUntilNanos = nanos;
    LossWatch watch = currentLossWatch();
    if (watch != null) {
      watch.start();
    }
  }

  /**
   * Ends the lease and returns whether it was still there. Only the first call does anything; a store that fails is
   * reported by an exception, and the lock then ends with its ttl.
   */
  public boolean release() {
    if (!state.compareAndSet(State.ACTIVE, State.RELEASING)) {
      return false;
    }
    CompletableFuture<Void> done = whenReleased();
    try {
      return releaseNow(Cancellation.none());
    } finally {
      finish(done);
    }
  }

  private boolean releaseNow(Cancellation cancellation) {
    releaser = Thread.currentThread();
    stopWatching();
    try {
      return Interruption.deferring(() -> context.room().release(key, id, cancellation));
    } catch (RuntimeException e) {
      throw LockException.of(e).about(key);
    }
  }

  /**
   * Ends the lease if that has not happened yet, and waits for a release in flight. Never throws: what goes wrong is told
   * to the handler for release errors.
   */
  @Override
  public void close() {
    if (releaser == Thread.currentThread()) {
      // Called back from within the release, which cannot wait for itself.
      return;
    }
    CompletableFuture<Void> done = whenReleased();
    Cancellation cancellation =
        context.closeTimeout().isPresent() ? Cancellation.create() : Cancellation.none();
    if (state.compareAndSet(State.ACTIVE, State.RELEASING)) {
      if (context.closeTimeout().isEmpty()) {
        releaseQuietly(cancellation, done);
        return;
      }
      try {
        context.background().after(Duration.ZERO, () -> releaseQuietly(cancellation, done));
      } catch (RuntimeException | Error e) {
        // Nobody takes work any more. Better late than not at all.
        releaseQuietly(cancellation, done);
      }
    }
    awaitRelease(done, cancellation);
  }

  private void releaseQuietly(Cancellation cancellation, CompletableFuture<Void> done) {
    try {
      releaseNow(cancellation);
    } catch (RuntimeException e) {
      reportFailure(e);
    } finally {
      finish(done);
    }
  }

  private void awaitRelease(CompletableFuture<Void> done, Cancellation cancellation) {
    Time.Signal signal = context.time().newSignal();
    CompletableFuture<Void> unused = done.whenComplete((nothing, error) -> signal.fire());
    Duration limit = context.closeTimeout().orElse(Duration.ofDays(365));
    boolean inTime = Interruption.awaitCalmly(signal, limit);
    if (!inTime && !done.isDone() && context.closeTimeout().isPresent()) {
      cancellation.cancel();
      reportFailure(new LockException(
          LockException.Code.NETWORK_TIMEOUT,
          "The release took longer than the " + limit.toMillis()
              + " ms that closing a lease may take"));
    }
  }

  /** Tells the handler, unless it was already told that this took too long. */
  private void reportFailure(RuntimeException error) {
    if (failureTold.compareAndSet(false, true)) {
      ReleaseErrors.report(context.onReleaseError(), error, new Failure(key, id, Source.CLOSE));
    }
  }

  private void finish(CompletableFuture<Void> done) {
    releaser = null;
    state.set(State.DONE);
    done.complete(null);
  }

  private synchronized CompletableFuture<Void> whenReleased() {
    if (released == null) {
      released = new CompletableFuture<>();
    }
    return released;
  }

  /** Called when it turns out that the lease is not there any more, unless we ended it ourselves. */
  void lose(Loss loss) {
    if (state.get() == State.ACTIVE) {
      lost = true;
      lossWatch().tell(loss);
    }
  }

  boolean isOver() {
    return lost || state.get() != State.ACTIVE;
  }

  private synchronized LossWatch lossWatch() {
    if (lossWatch == null) {
      lossWatch = new LossWatch(this, context.background());
      lossWatch.start();
    }
    return lossWatch;
  }

  private synchronized @Nullable LossWatch currentLossWatch() {
    return lossWatch;
  }

  /** Renews this lease from now on, or gives it back if that cannot be. */
  void keep(LeaseKeeper by) {
    keeper = by;
    try {
      by.start();
    } catch (RuntimeException | Error e) {
      close();
      throw LockException.noBackground(e).about(key);
    }
  }

  private void stopWatching() {
    LeaseKeeper keeping = keeper;
    if (keeping != null) {
      keeping.stop();
    }
    LossWatch watch = currentLossWatch();
    if (watch != null) {
      watch.stop();
    }
  }

  @Override
  public String toString() {
    return "Lease[" + key + ", fence " + fence + "]";
  }
}
