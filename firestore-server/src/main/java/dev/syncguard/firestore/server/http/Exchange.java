package dev.syncguard.firestore.server.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A request and its answer, and how long the client may take over them. Thread-safe. */
final class Exchange {
  private enum Phase {
    ARRIVING,
    ANSWERED,
    ENDLESS,
    ENDED
  }

  private final Connection connection;
  private final boolean call;
  private final ScheduledExecutorService timer;
  private final Runnable tooLate;
  private Phase phase = Phase.ARRIVING;
  private @Nullable Future<?> deadline;

  /**
   * @param call whether it is one over gRPC
   * @param tooLate ends it
   */
  Exchange(Connection connection, boolean call, ScheduledExecutorService timer, Runnable tooLate) {
    this.connection = connection;
    this.call = call;
    this.timer = timer;
    this.tooLate = tooLate;
  }

  synchronized void begin(Duration arrival) {
    limit(arrival);
  }

  /** All of the request is there; from now on the answer has so much time. */
  synchronized void arrived(Duration answer) {
    if (phase == Phase.ARRIVING) {
      phase = Phase.ANSWERED;
      connection.arrived(call, System.nanoTime());
      limit(answer);
    }
  }

  /** It is a stream that has begun. */
  synchronized void endless() {
    if (phase == Phase.ARRIVING) {
      connection.arrived(call, System.nanoTime());
    }
    if (phase != Phase.ENDED) {
      phase = Phase.ENDLESS;
      unlimit();
    }
  }

  synchronized void ended() {
    if (phase != Phase.ARRIVING && phase != Phase.ENDED) {
      connection.answered(call, System.nanoTime());
    }
    phase = Phase.ENDED;
    unlimit();
  }

  private void limit(Duration time) {
    unlimit();
    deadline = timer.schedule(tooLate, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void unlimit() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }
}
