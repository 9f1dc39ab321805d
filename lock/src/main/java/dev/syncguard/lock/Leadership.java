package dev.syncguard.lock;

import dev.syncguard.lock.runtime.BackgroundWork;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One term of one leader. Thread-safe. */
public final class Leadership {

  private final Lease lease;
  private final CompletableFuture<Void> revoked = new CompletableFuture<>();
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean endWanted;
  private volatile boolean ending;

  Leadership(Lease lease) {
    this.lease = lease;
  }

  /**
   * Returns the number of this term, higher than that of all earlier leaders. Hand it to everything that the leader writes
   * to: only a resource that refuses lower terms is safe from a leader that was paused for too long.
   */
  public Fence term() {
    return lease.fence();
  }

  /** Returns whether to go on with the leader's work. Once it was false it stays so. */
  public boolean isLeader() {
    return !ending && lease.isHeld();
  }

  /** Returns how much longer nobody else can be leader, also for one that is told to stop; zero if that cannot be promised. */
  public Duration remaining() {
    return lease.remaining();
  }

  /** Returns a stage that completes when the leader's work has to stop. What depends on it runs in the background. */
  public CompletionStage<Void> whenRevoked() {
    return revoked.minimalCompletionStage();
  }

  boolean isOf(Lease other) {
    return lease == other;
  }

  /** Asks for the end of the term, and returns what completes when the key was given back. */
  CompletionStage<Void> askToEnd() {
    endWanted = true;
    return over.minimalCompletionStage();
  }

  boolean isEndWanted() {
    return endWanted;
  }

  @SuppressWarnings("NullAway") // Void has no other value than null.
  void revoke(Background background) {
    ending = true;
    BackgroundWork.begin(background, () -> revoked.complete(null));
  }

  @SuppressWarnings("NullAway") // Void has no other value than null.
  void isOver() {
    over.complete(null);
  }

  @Override
  public String toString() {
    return "Leadership[term " + term() + "]";
  }
}
