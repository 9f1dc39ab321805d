package dev.syncguard.lock.lease;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of one lock id, from the first request to the last release: what was asked for, what the store said, until
 * when that may be relied upon, and how it ends.
 *
 * <pre>
 *   REQUESTED ──accept──▶ HELD ──release──▶ ENDED
 *       │                  └─────lose────▶ LOST ──release──▶ ENDED
 *       └──────────────abandon────────────────────────────▶ ENDED
 * </pre>
 *
 * <p>There is no way back: a lease that was once reported lost, or seen to be over, is not held again. What may be left
 * at the store after the end is given to {@link LeaseEnding}.
 *
 * <p>Thread-safe. The guard is held for bookkeeping only, never during I/O, and no foreign code runs under it.
 */
public final class LeaseLifecycle {

  private enum Phase {
    REQUESTED,
    HELD,
    LOST,
    ENDED
  }

  private final LockKey key;
  private final LockId id;
  private final Ttl ttl;
  private final LeaseServices services;
  private final LeaseEnding ending;
  private final CompletableFuture<Loss> loss = new CompletableFuture<>();
  private final ReentrantLock guard = new ReentrantLock();
  private final LeaseTerm term;
  private final Doubt doubt;
  private volatile Phase phase = Phase.REQUESTED;
  private volatile @Nullable LeaseTimer timer;
  private volatile LeaseWatch watch = LeaseWatch.NONE;
  private volatile boolean handedOff;
  private @Nullable Fence fence;
  private volatile boolean heldToTheEnd;

  public LeaseLifecycle(LockKey key, LockId id, Ttl ttl, LeaseServices services) {
    this.key = key;
    this.id = id;
    this.ttl = ttl;
    this.services = services;
    this.ending = new LeaseEnding(this, services);
    this.term = new LeaseTerm(services.time()::nanos);
    this.doubt = new Doubt(ttl);
  }

  public LockKey key() {
    return key;
  }

  public LockId id() {
    return id;
  }

  public Ttl ttl() {
    return ttl;
  }

  public Fence fence() {
    return Objects.requireNonNull(fence);
  }

  public Instant expiresAt() {
    return term.expiresAt();
  }

  /**
   * Makes a request for the key under this id and returns whether it was granted.
   *
   * <p>The store tells how much of the lease was left when it answered, so it does not matter which of several requests
   * caused the grant: we count from before the one that was answered.
   */
  public boolean request(Supplier<AcquireResult> attempt) {
    long sentNanos = now();
    try {
      if (!(attempt.get() instanceof AcquireResult.Acquired acquired)) {
        return false;
      }
      term.granted(acquired, ttl, sentNanos);
      guard.lock();
      try {
        fence = acquired.fence();
      } finally {
        guard.unlock();
      }
      return true;
    } catch (RuntimeException e) {
      LockException error = about(e);
      if (error.leavesOutcomeUnknown()) {
        doubt.unanswered(now());
      }
      throw error;
    } catch (Error e) {
      doubt.unanswered(now());
      throw e;
    }
  }

  /** As {@link #request}, of the holder before us instead of the store's queue. */
  public boolean takeOver(Supplier<AcquireResult> attempt) {
    handedOff = request(attempt);
    return handedOff;
  }

  /** Tells this watch from now on; called before anybody else can know of the lease. */
  public void tellTo(LeaseWatch listening) {
    watch = listening;
    listening.granted(fence(), handedOff);
  }

  /** Notes how a renewal went. */
  public void renewed(LeaseListener.Renewal renewal) {
    watch.renewed(renewal);
  }

  /**
   * Takes what was granted, and returns false if it came too late to be of use.
   *
   * <p>Throws if the store has forgotten earlier grants. Either way it is then given back.
   */
  public boolean accept(ReleaseErrorHandler onReleaseError) {
    if (now() - term.endNanos() >= 0) {
      abandon(onReleaseError);
      return false;
    }
    try {
      services.fences().check(key, fence());
    } catch (LockException e) {
      abandon(onReleaseError);
      throw about(e);
    }
    phase = Phase.HELD;
    return true;
  }

  /** Ends a life that nobody wants any more before it was accepted. What the store may have granted is given back. */
  public void abandon(ReleaseErrorHandler onReleaseError) {
    boolean leftSomething;
    guard.lock();
    try {
      leftSomething = phase != Phase.ENDED && (fence != null || doubt.exists());
      phase = Phase.ENDED;
    } finally {
      guard.unlock();
    }
    if (leftSomething) {
      ending.giveBackUnwanted(onReleaseError);
    }
  }

  /** Returns how much longer the lease may be relied upon. Once that was zero it stays so. */
  public Duration remaining() {
    if (phase != Phase.HELD) {
      return Duration.ZERO;
    }
    long left = term.endNanos() - now();
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    lose(Loss.RAN_OUT);
    return Duration.ZERO;
  }

  public boolean isHeld() {
    return !remaining().isZero();
  }

  /** Lets the lease end {@code longer} from now, and returns whether it is held after that. */
  public boolean extend(Ttl longer, Cancellation cancellation) {
    if (!isHeld()) {
      return false;
    }
    long sentNanos = now();
    doubt.asking(longer);
    LeaseWindow.Extension extension = term.extending(longer, sentNanos);
    ExtendResult result;
    try {
      result = services.backend().extend(id, longer, cancellation);
    } catch (RuntimeException e) {
      LockException error = about(e);
      if (!error.leavesOutcomeUnknown()) {
        term.refused(extension);
        reschedule();
      }
      throw error;
    }
    if (!(result instanceof ExtendResult.Extended extended)) {
      term.refused(extension);
      lose(Loss.GONE);
      return false;
    }
    if (!term.wasInTime(extended, longer, sentNanos)) {
      // The clock of the store stepped beyond the end. It extended what was over, as tolerant as it
      // is.
      lose(Loss.RAN_OUT);
    }
    // Too late is too late: whoever was told that it is over may have passed the work on.
    if (!isHeld()) {
      ending.giveBackAfterLoss();
      return false;
    }
    term.confirmed(extension, extended);
    reschedule();
    return isHeld();
  }

  private void reschedule() {
    LeaseTimer watching = timer;
    if (watching != null) {
      watching.reschedule();
    }
  }

  /** Returns a stage that completes when the lease is lost, and sees to it that this is noticed. */
  public CompletionStage<Loss> whenLost() {
    watchForLoss();
    return loss.minimalCompletionStage();
  }

  /** Sees to it that a loss is noticed when it happens, not when somebody looks. */
  public void watchForLoss() {
    if (timer == null && isHeld()) {
      LeaseTimer watching = new LeaseTimer(this, services.time(), services.background());
      if (install(watching)) {
        watching.reschedule();
      }
    }
  }

  /** Renews the lease from now on until it is released or has been held for so long. */
  public void renewFor(Duration maxHold) {
    LeaseTimer renewing =
        LeaseTimer.renewing(this, maxHold, services.time(), services.background());
    timer = renewing;
    renewing.start();
  }

  /** Leaves the lease to its time; nobody watches it any more. */
  public void stopRenewing() {
    LeaseTimer renewing = timer;
    if (renewing != null) {
      renewing.stop();
    }
  }

  private boolean install(LeaseTimer candidate) {
    guard.lock();
    try {
      if (timer != null || phase != Phase.HELD) {
        return false;
      }
      timer = candidate;
      return true;
    } finally {
      guard.unlock();
    }
  }

  /** Reports the lease lost, unless it has ended before. */
  public void lose(Loss reason) {
    boolean mayBeStored;
    guard.lock();
    try {
      if (phase != Phase.HELD) {
        return;
      }
      phase = Phase.LOST;
      mayBeStored = reason == Loss.RAN_OUT && term.hasUnansweredExtensions();
    } finally {
      guard.unlock();
    }
    stopWatching();
    watch.lost(reason);
    if (mayBeStored) {
      ending.giveBackAfterLoss();
    }
    // In the background, because a callback may wait for the very thread that is here.
    BackgroundWork.begin(services.background(), () -> loss.complete(reason));
  }

  private void stopWatching() {
    services.registry().remove(id);
    stopRenewing();
  }

  /** Returns how the store learns of the end. */
  public LeaseEnding ending() {
    return ending;
  }

  /** Ends the lease here, and returns whether this is the call that did so. The store has to be told. */
  public boolean end() {
    boolean wasHeld;
    guard.lock();
    try {
      if (phase == Phase.ENDED) {
        return false;
      }
      wasHeld = phase == Phase.HELD;
      heldToTheEnd = wasHeld && term.endNanos() - now() > 0;
      phase = Phase.ENDED;
    } finally {
      guard.unlock();
    }
    stopWatching();
    if (wasHeld && now() - term.endNanos() >= 0) {
      // Nobody had noticed so far.
      watch.lost(Loss.RAN_OUT);
    } else if (wasHeld) {
      watch.released();
    }
    return true;
  }

  /** Returns whether the holder could rely on the lease until it ended it. */
  public boolean wasHeldToTheEnd() {
    return heldToTheEnd;
  }

  /** Returns the reading from which on no request for this id can arrive any more. */
  public long mayArriveUntil() {
    return doubt.mayArriveUntil(now());
  }

  /** Returns the reading from which on the store has ended the lease by itself, whatever arrived there. */
  public long endsByItselfAt() {
    return doubt.endsByItselfAt(now());
  }

  public LockException about(RuntimeException error) {
    return LockErrors.of(error).about(key).about(id);
  }

  private long now() {
    return services.time().nanos();
  }
}
