package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.runtime.BackgroundWork;
import dev.syncguard.lock.runtime.Deadline;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.runtime.OutageBackoff;
import dev.syncguard.lock.waiting.RequestOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Stands for election until it is closed: waits for a key, leads while it holds it, and stands again.
 *
 * <p>There are never two leaders as far as their leases can promise it: a leader that cannot renew its lease is told to stop
 * before the lease is over, and its key goes to the next one only when it has stopped or the lease is over. A leader that
 * was paused in between, or takes longer to stop than it may, can only be kept out by a check of {@link Leadership#term()}.
 *
 * <p>It keeps one thread of the background, which waits. Thread-safe.
 */
public final class LeaderElection implements AutoCloseable {

  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);
  /** How long one that was leader lets others go first. */
  private static final Duration PAUSE_AFTER_TERM = Duration.ofSeconds(1);
  /** How long the release may take that follows the end of the work. */
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(5);

  private static final System.Logger log = System.getLogger(LeaderElection.class.getName());

  private final Locks locks;
  private final LockKey key;
  private final Candidate candidate;
  private final ElectionTiming timing;
  private final RequestOptions options;
  private final Time time;
  private final Background background;
  private final RandomGenerator random;
  private final Cancellation closing = Cancellation.create();
  private final Time.Signal wake;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile @Nullable Leadership current;
  private volatile @Nullable Thread caller;

  LeaderElection(
      Locks locks,
      LockKey key,
      Candidate candidate,
      ElectionTiming timing,
      RequestOptions defaults,
      LeaseServices services,
      RandomGenerator random) {
    this.locks = locks;
    this.key = key;
    this.candidate = Objects.requireNonNull(candidate);
    this.timing = timing;
    this.options = defaults
        .withTtl(timing.ttl())
        .withWaitLimit(AS_LONG_AS_IT_TAKES)
        .withMaxHold(AS_LONG_AS_IT_TAKES)
        .withCancellation(closing);
    this.time = services.time();
    this.background = services.background();
    this.random = random;
    this.wake = time.newSignal();
  }

  void start() {
    background.after(Duration.ZERO, this::standUntilClosed);
  }

  /** Returns whether this candidate is leader at this moment. */
  public boolean isLeader() {
    Leadership leadership = current;
    return leadership != null && leadership.isLeader();
  }

  /** Returns the term that this candidate leads, unless it is not leader. */
  public Optional<Leadership> leadership() {
    return Optional.ofNullable(current).filter(Leadership::isLeader);
  }

  /**
   * Lets somebody else be leader. If this candidate is, it is told to stop and its key is released then, at which the stage
   * completes. It stands again a second later.
   */
  @SuppressWarnings("NullAway") // Void has no other value than null.
  public CompletionStage<Void> stepDown() {
    Leadership leadership = current;
    if (leadership == null) {
      return CompletableFuture.completedStage(null);
    }
    CompletionStage<Void> over = leadership.askToEnd();
    wake.fire();
    return over;
  }

  /**
   * Steps down and does not stand again. Waits for {@link Candidate#revoked} to return, up to the time to stop, and for the
   * release, so that the next leader is there at once.
   *
   * <p>A candidate that has not stopped by then keeps the key until its lease is over, which is no longer renewed.
   */
  @Override
  public void close() {
    startClosing();
    awaitEnd(new Deadline(closeLimit(), time));
  }

  /** Returns how long it may take until a leader has stopped and its key was released. */
  Duration closeLimit() {
    return timing.stopTimeout().plus(RELEASE_LIMIT);
  }

  void awaitEnd(Deadline deadline) {
    if (caller == Thread.currentThread()) {
      // Called back from within, which cannot wait for itself.
      return;
    }
    Time.Signal signal = time.newSignal();
    CompletableFuture<Void> unused = finished.whenComplete((nothing, error) -> signal.fire());
    if (!Interruption.awaitUninterruptibly(signal, deadline.left(), time)) {
      log.log(
          System.Logger.Level.WARNING,
          "An election was closed, but its candidate has not stopped in time; its lease will run out");
    }
  }

  /** Returns whether this candidate leads with the lease, or has not stopped yet. */
  boolean leadsWith(Lease lease) {
    Leadership leadership = current;
    return leadership != null && leadership.isOf(lease);
  }

  void startClosing() {
    closing.cancel();
    wake.fire();
  }

  @SuppressWarnings("NullAway") // Void has no other value than null.
  private void standUntilClosed() {
    try {
      for (int failures = 0; !closing.isCancelled(); ) {
        try {
          lead(locks.acquire(key, options));
          failures = 0;
        } catch (RuntimeException | Error e) {
          // Whatever it was: a candidate that silently no longer stands would never be missed.
          if (closing.isCancelled() || locks.isClosed()) {
            return;
          }
          log.log(System.Logger.Level.WARNING, "A candidate could not stand, and tries again", e);
          pause(OutageBackoff.after(++failures, random));
        }
      }
    } finally {
      locks.forget(this);
      finished.complete(null);
    }
  }

  private void lead(Lease lease) {
    Leadership leadership = new Leadership(lease);
    try (lease) {
      if (closing.isCancelled()) {
        return;
      }
      current = leadership;
      leadUntilRevoked(lease, leadership);
    } finally {
      current = null;
      leadership.isOver();
    }
    pause(PAUSE_AFTER_TERM);
  }

  private void leadUntilRevoked(Lease lease, Leadership leadership) {
    lease.whenLost().thenRun(wake::fire);
    CompletableFuture<Boolean> elected = call(() -> candidate.elected(leadership));
    while (goesOn(leadership, elected)) {
      await(leadership.remaining().minus(timing.stopTimeout()));
    }
    leadership.revoke(background);
    lease.stopRenewing();
    Deadline deadline = new Deadline(timing.stopTimeout(), time);
    awaitReturn(elected, deadline);
    awaitReturn(call(() -> candidate.revoked(leadership)), deadline);
  }

  private boolean goesOn(Leadership leadership, CompletableFuture<Boolean> elected) {
    return !closing.isCancelled()
        && !leadership.isEndWanted()
        && elected.getNow(true)
        && leadership.remaining().compareTo(timing.stopTimeout()) > 0;
  }

  /** Calls the candidate in the background, so that it cannot hold us up, and returns whether it did not fail. */
  private CompletableFuture<Boolean> call(Runnable callback) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    CompletableFuture<Boolean> unused = done.whenComplete((ok, error) -> wake.fire());
    Runnable work = () -> {
      caller = Thread.currentThread();
      boolean ok = false;
      try {
        callback.run();
        ok = true;
      } catch (RuntimeException e) {
        log.log(System.Logger.Level.WARNING, "A candidate failed", e);
      } finally {
        caller = null;
        done.complete(ok);
      }
    };
    BackgroundWork.begin(background, work);
    return done;
  }

  /** Waits however long it takes: a candidate that has not stopped does not stand again. */
  private void awaitReturn(CompletableFuture<Boolean> call, Deadline deadline) {
    while (!call.isDone() && !deadline.left().isZero()) {
      await(deadline.left());
    }
    if (!call.isDone()) {
      log.log(
          System.Logger.Level.WARNING,
          () -> "A leader has not stopped within " + timing.stopTimeout().toMillis()
              + " ms; its lease will run out, and only a check of its term keeps it from doing harm");
    }
    while (!call.isDone()) {
      await(AS_LONG_AS_IT_TAKES);
    }
  }

  private void pause(Duration pause) {
    Deadline deadline = new Deadline(pause, time);
    while (!closing.isCancelled() && !deadline.left().isZero()) {
      await(deadline.left());
    }
  }

  private void await(Duration atMost) {
    if (!atMost.isNegative()) {
      Interruption.awaitUninterruptibly(wake, atMost, time);
    }
  }
}
