package dev.syncguard.lock;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.ReleaseErrorHandler.Source;
import dev.syncguard.lock.lease.LeaseLifecycle;
import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.lease.ReleaseErrors;
import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.Deadline;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.waiting.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A key that is ours for a while.
 *
 * <p>The lease belongs to whoever has this object, not to a thread. It ends when it is released or closed, or by itself
 * after its ttl. Hand {@link #fence()} to everything that the lock protects: only a resource that refuses lower fences is
 * safe from a holder that was paused for too long. Thread-safe.
 */
public final class Lease implements AutoCloseable {

  private static final Duration FOREVER = Duration.ofDays(365);

  private final LeaseLifecycle lifecycle;
  private final LeaseServices services;
  private final WaitingRoom room;
  private final ReleaseErrorHandler onReleaseError;
  private final Deadline notBefore;
  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private final AtomicBoolean failureReported = new AtomicBoolean();
  private volatile @Nullable Thread releaser;

  Lease(
      LeaseLifecycle lifecycle,
      LeaseServices services,
      WaitingRoom room,
      ReleaseErrorHandler onReleaseError,
      Duration atLeast) {
    this.lifecycle = lifecycle;
    this.services = services;
    this.room = room;
    this.onReleaseError = onReleaseError;
    // From after the grant, so that it is never too short.
    this.notBefore = new Deadline(atLeast, services.time());
  }

  /** Returns the key that this lease is about. */
  public LockKey key() {
    return lifecycle.key();
  }

  /** Returns the secret with which this lease can be extended and released from elsewhere, see {@link Locks#release(String)}. */
  public LockId id() {
    return lifecycle.id();
  }

  /** Returns the number that tells this holder from all earlier ones. */
  public Fence fence() {
    return lifecycle.fence();
  }

  /** Returns when the lease ends unless it is extended, on the backend's clock. To measure time, use {@link #remaining}. */
  public Instant expiresAt() {
    return lifecycle.expiresAt();
  }

  /**
   * Returns how much longer nobody else can get the key, or zero if that cannot be promised. Once it was zero it stays so.
   *
   * <p>It is counted on this machine's monotonic clock from before the request was sent, time asleep included, so it never
   * promises too much, whatever the wall clocks say.
   */
  public Duration remaining() {
    return lifecycle.remaining();
  }

  /** Returns whether the lease can still be relied upon at this moment. */
  public boolean isHeld() {
    return lifecycle.isHeld();
  }

  /** Throws {@link LeaseLostException} unless the lease lasts at least this much longer. */
  public void ensureHeld(Duration margin) {
    if (remaining().compareTo(margin) < 0 || !isHeld()) {
      throw new LeaseLostException("The lease does not last for the " + margin.toMillis()
              + " ms that the next step needs; stop, or take the lock again")
          .about(key())
          .about(id());
    }
  }

  /**
   * Returns a stage that completes as soon as the lease can no longer be relied upon; never after a release. What depends
   * on it runs in the background.
   */
  public CompletionStage<Loss> whenLost() {
    return lifecycle.whenLost();
  }

  /** Lets the lease end {@code ttl} from now, and returns whether it is still ours. One that was lost stays so. */
  public boolean extend(Duration ttl) {
    return extend(ttl, Cancellation.none());
  }

  /** As {@link #extend(Duration)}, but gives up when cancelled. */
  public boolean extend(Duration ttl, Cancellation cancellation) {
    return lifecycle.extend(Ttl.of(ttl), cancellation);
  }

  /**
   * Ends the lease and returns whether it was still there. Only the first call does anything. A store that fails is
   * reported by an exception, and asked again in the background until it has answered or the lease has ended by itself.
   */
  public boolean release() {
    return release(Cancellation.none());
  }

  /**
   * As {@link #release()}, but no longer waits for the store when cancelled. The lease has ended here even so, and the store
   * is told in the background.
   */
  public boolean release(Cancellation cancellation) {
    return release(Duration.ZERO, cancellation);
  }

  /**
   * As {@link #release()}, but the store keeps the key for this much longer, and up to a second more. No thread waits for
   * that. What the request said about the least time still holds.
   */
  public boolean releaseAfter(Duration rest) {
    // Before anything has ended: a bad value must not cost the store its release.
    if (rest.compareTo(Ttl.MAX) > 0) {
      throw LockException.invalidArgument("A key can be kept for at most " + Ttl.MAX.toMillis()
          + " ms after its release. The lease has not ended");
    }
    return release(rest, Cancellation.none());
  }

  private boolean release(Duration rest, Cancellation cancellation) {
    if (!lifecycle.end()) {
      return false;
    }
    try {
      return releaseNow(rest, cancellation);
    } finally {
      released.complete(null);
    }
  }

  /** Ends the lease because somebody else who knows its id wants so; its holder learns of it first. */
  boolean revoke(Cancellation cancellation) {
    isGone();
    return release(cancellation);
  }

  /** Lets the lease run out unless it is extended or released before. */
  void stopRenewing() {
    lifecycle.stopRenewing();
  }

  /** Notes that somebody else has ended the lease at the store, or is about to. */
  void isGone() {
    lifecycle.lose(Loss.GONE);
  }

  private boolean releaseNow(Duration atEarliest, Cancellation cancellation) {
    releaser = Thread.currentThread();
    try {
      Duration left = notBefore.left();
      Duration rest = left.compareTo(atEarliest) < 0 ? atEarliest : left;
      return rest.isZero()
          ? lifecycle.ending().tellStore(() -> room.release(lifecycle, cancellation))
          : lifecycle.ending().endAtStoreAfter(rest, cancellation);
    } finally {
      releaser = null;
    }
  }

  /**
   * Ends the lease if that has not happened yet, and waits for a release in flight. Never throws: what goes wrong is told
   * to the handler for release errors, and tried again in the background.
   */
  @Override
  public void close() {
    closeWithin(services.closeTimeout().orElse(null));
  }

  /** As {@link #close()}, but does not take longer than this. */
  void closeWithin(@Nullable Duration atMost) {
    if (releaser == Thread.currentThread()) {
      // Called back from within the release, which cannot wait for itself.
      return;
    }
    if (atMost == null) {
      if (lifecycle.end()) {
        releaseQuietly(Cancellation.none());
      } else {
        awaitRelease(FOREVER);
      }
      return;
    }
    Cancellation cancellation = startClosing();
    if (!awaitRelease(atMost)) {
      cancellation.cancel();
      reportFailure(new LockException(
          LockException.Code.NETWORK_TIMEOUT,
          "The release took longer than the " + atMost.toMillis()
              + " ms that closing may take; it is tried again in the background"));
    }
  }

  /** Closes leases in turn, the last one first, within one dispose timeout. */
  static void closeAll(List<Lease> leases) {
    Optional<Deadline> deadline = leases.stream()
        .findFirst()
        .flatMap(any ->
            any.services.closeTimeout().map(timeout -> new Deadline(timeout, any.services.time())));
    for (int i = leases.size() - 1; i >= 0; i--) {
      leases.get(i).closeWithin(deadline.map(Deadline::left).orElse(null));
    }
  }

  /** Ends the lease here, because the locks that it came from are closed, and returns whether the store has to be told. */
  boolean abort() {
    lifecycle.lose(Loss.CLOSED);
    return lifecycle.end();
  }

  /** Tells the store that the lease was aborted. */
  void tellStore() {
    releaseQuietly(Cancellation.none());
  }

  private Cancellation startClosing() {
    Cancellation cancellation = Cancellation.create();
    if (lifecycle.end()) {
      BackgroundWork.begin(services.background(), () -> releaseQuietly(cancellation));
    }
    return cancellation;
  }

  private void releaseQuietly(Cancellation cancellation) {
    LockException failure = null;
    try {
      releaseNow(Duration.ZERO, cancellation);
    } catch (LockException e) {
      failure = e;
    } finally {
      released.complete(null);
    }
    if (failure != null) {
      reportFailure(failure);
    }
  }

  private boolean awaitRelease(Duration atMost) {
    Time.Signal signal = services.time().newSignal();
    CompletableFuture<Void> unused = released.whenComplete((nothing, error) -> signal.fire());
    return Interruption.awaitUninterruptibly(signal, atMost, services.time()) || released.isDone();
  }

  /** Tells the handler, unless it was already told that this took too long. */
  private void reportFailure(LockException error) {
    if (failureReported.compareAndSet(false, true)) {
      ReleaseErrors.report(
          onReleaseError, error.about(key()).about(id()), new Failure(key(), id(), Source.CLOSE));
    }
  }

  @Override
  public String toString() {
    return "Lease[" + key() + ", fence " + fence() + "]";
  }
}
