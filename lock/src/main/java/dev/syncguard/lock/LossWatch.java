package dev.syncguard.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tells once, and as soon as it is true, that a lease can no longer be relied upon. */
final class LossWatch {

  private final Lease lease;
  private final Background background;
  private final CompletableFuture<Loss> loss = new CompletableFuture<>();
  private Background.@Nullable Task alarm;
  private boolean stopped;

  LossWatch(Lease lease, Background background) {
    this.lease = lease;
    this.background = background;
  }

  CompletionStage<Loss> stage() {
    return loss.minimalCompletionStage();
  }

  /** Sets the alarm for the end of the lease, and again whenever that has moved. */
  synchronized void start() {
    if (stopped || lease.isOver()) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
    }
    Duration left = lease.remaining();
    if (left.isZero()) {
      // Not from here: the lease may hold its own monitor while it starts us.
      background.after(Duration.ZERO, () -> lease.lose(Loss.RAN_OUT));
    } else {
      alarm = background.after(left, this::start);
    }
  }

  void tell(Loss reason) {
    stop();
    loss.complete(reason);
  }

  synchronized void stop() {
    stopped = true;
    if (alarm != null) {
      alarm.cancel();
    }
  }
}
